package dev.incumbent.telling;

import dev.incumbent.model.PastTerm;
import java.util.List;

/** Terms that are over, as {@code history -o json} and the agent tell them. */
public final class HistoryJson {
    private HistoryJson() {}

    /** Each of them, in that order. */
    public static List<JsonObject> of(List<PastTerm> history) {
        return history.stream().map(HistoryJson::of).toList();
    }

    private static JsonObject of(PastTerm past) {
        return new JsonObject()
                .put("term", past.number())
                .put("leader", StandingJson.of(past.leader()))
                .put("from", past.from())
                .put("to", past.to())
                .put("reason", Reasons.word(past.reason()));
    }
}
