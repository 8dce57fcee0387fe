package dev.incumbent.health;

import dev.incumbent.health.Condition.State;
import dev.incumbent.health.Rhythm.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What is believed of one check, and the answers since it is believed, the oldest first. It changes with K of the last N of these: pure.
 *
 * @param state what is believed
 * @param since what was answered since the last change, good or bad, at most as many as a decision looks at
 */
record Belief(State state, List<Boolean> since) {
    static final Belief UNASKED = new Belief(State.UNASKED, List.of());

    Belief {
        since = List.copyOf(since);
    }

    /** With one answer more. The first one decides alone. */
    Belief after(boolean isGood, Rhythm rhythm) {
        if (state == State.UNASKED) {
            return new Belief(isGood ? State.WELL : State.SICK, List.of());
        }
        boolean isWell = state == State.WELL;
        Share share = isWell ? rhythm.sickAfter() : rhythm.wellAfter();
        List<Boolean> last = last(isGood, share.ofLast());
        boolean turns = Collections.frequency(last, !isWell) >= share.answers();
        return turns ? new Belief(isWell ? State.SICK : State.WELL, List.of()) : new Belief(state, last);
    }

    private List<Boolean> last(boolean isGood, int atMost) {
        List<Boolean> all = new ArrayList<>(since);
        all.add(isGood);
        return all.subList(Math.max(0, all.size() - atMost), all.size());
    }
}
