package dev.incumbent.telling;

import dev.incumbent.LeaderChange;
import java.time.Instant;

/** A change of who leads, as {@code observe -o json} and the agent's streams of events tell it. */
public final class ChangeJson {
    private ChangeJson() {}

    /** One line. */
    public static JsonObject of(LeaderChange change) {
        JsonObject json = new JsonObject()
                .put("election", change.election().value())
                .put("term", change.term())
                .put("token", change.term())
                .put("leader", change.leader().map(StandingJson::of))
                .put("previous", change.previous().map(past -> StandingJson.of(past.leader())));
        change.previous()
                .ifPresentOrElse(past -> json.put("reason", Reasons.word(past.reason())), () -> json.putNull("reason"));
        boolean isNever = change.at().equals(Instant.EPOCH);
        return isNever ? json.putNull("at") : json.put("at", change.at());
    }
}
