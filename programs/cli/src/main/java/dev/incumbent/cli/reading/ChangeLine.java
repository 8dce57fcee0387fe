package dev.incumbent.cli.reading;

import dev.incumbent.LeaderChange;
import dev.incumbent.model.Candidate;
import dev.incumbent.telling.Reasons;
import java.time.Instant;

/** A change of who leads, as one line of text. */
final class ChangeLine {
    private ChangeLine() {}

    static String text(LeaderChange change) {
        String before = change.previous()
                .map(past -> "  previous " + past.leader() + " (" + Reasons.word(past.reason()) + ")")
                .orElse("");
        String now = change.leader().map(ChangeLine::leader).orElse("vacant");
        return (isNever(change) ? "-" : change.at()) + "  " + change.election() + "  token " + change.term() + "  "
                + now + before;
    }

    private static String leader(Candidate leader) {
        return "leader " + leader + (leader.address().isEmpty() ? "" : " at " + leader.address());
    }

    private static boolean isNever(LeaderChange change) {
        return change.at().equals(Instant.EPOCH);
    }
}
