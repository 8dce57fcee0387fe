package dev.incumbent.telling;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PastTerm;
import java.util.List;

/** Terms that are over, as {@code history -o json} and the agent tell them. */
public final class HistoryJson {
    private HistoryJson() {}

    /** Each of those that the record remembers, the oldest first. */
    public static List<JsonObject> of(LeaderRecord record) {
        return record.history().stream().map(past -> of(past, record)).toList();
    }

    private static JsonObject of(PastTerm past, LeaderRecord record) {
        JsonObject json = new JsonObject()
                .put("term", past.number())
                .put("leader", StandingJson.of(past.leader()))
                .put("from", past.from())
                .put("to", past.to())
                .put("reason", Reasons.word(past.reason()));
        StonithJson.of(past, record).ifPresent(stonith -> json.put("stonith", stonith));
        return json;
    }
}
