package dev.incumbent.internal;

import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many elections this process leads, which a process that spreads tells with each of its candidacies. Claims that are under way count, too: of many
 * vacancies at once it claims no more than its share. Owned by the loop's thread.
 */
final class Spread {
    /** Small numbers are told as they are, greater ones rounded down to so many binary digits: so few changes have to be told. */
    private static final int DIGITS = 4;

    private final boolean tells;
    private final Set<ElectionName> led = new TreeSet<>();

    Spread(boolean tells) {
        this.tells = tells;
    }

    /** What a candidacy has to hear before anything else, if it was told otherwise. */
    Optional<Event> news(ElectionState state) {
        long now = rounded(led.size());
        return tells && state.standing().load().led() != now
                ? Optional.of(new Event.ElectionsLed(now))
                : Optional.empty();
    }

    /** That election has taken a step. */
    void stepped(ElectionName election, ElectionState state) {
        if (!tells) {
            return;
        }
        boolean claims = state.attempt()
                .filter(attempt -> attempt.kind() == Attempt.Kind.CLAIM)
                .isPresent();
        if (claims || state.tenure().isPresent()) {
            led.add(election);
        } else {
            led.remove(election);
        }
    }

    static long rounded(long number) {
        int dropped = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(number) - DIGITS);
        return number >> dropped << dropped;
    }
}
