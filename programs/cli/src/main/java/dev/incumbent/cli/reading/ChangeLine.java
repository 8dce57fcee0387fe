package dev.incumbent.cli.reading;

import dev.incumbent.LeaderChange;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Reasons;
import dev.incumbent.model.Candidate;
import java.time.Instant;

/** A change of who leads, as one line of text or of JSON. */
final class ChangeLine {
    private ChangeLine() {}

    static JsonObject json(LeaderChange change) {
        JsonObject json = new JsonObject()
                .put("election", change.election().value())
                .put("term", change.term())
                .put("token", change.term())
                .put("leader", change.leader().map(StandingJson::of))
                .put("previous", change.previous().map(past -> StandingJson.of(past.leader())));
        change.previous()
                .ifPresentOrElse(past -> json.put("reason", Reasons.word(past.reason())), () -> json.putNull("reason"));
        return isNever(change) ? json.putNull("at") : json.put("at", change.at());
    }

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
