package dev.incumbent.telling;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.model.Turns;
import java.time.Instant;
import java.util.List;

/** An election's standing as {@code status -o json} tells it. */
public final class StandingJson {
    private StandingJson() {}

    public static JsonObject of(Standing standing) {
        LeaderRecord record = standing.record();
        JsonObject json = new JsonObject()
                .put("election", standing.election().value())
                .put("term", record.term())
                .put("token", record.term())
                .put("leader", record.leader().map(StandingJson::of))
                .put("leaseAlive", standing.observed().leaseAlive());
        standing.jeopardy().ifPresentOrElse(is -> json.put("jeopardy", is), () -> json.putNull("jeopardy"));
        json.put("frozen", record.freeze().map(StandingJson::of)).put("cordons", cordons(record));
        boolean isNew = record.since().equals(Instant.EPOCH);
        (isNew ? json.putNull("since") : json.put("since", record.since()))
                .put("request", record.request().map(StandingJson::of))
                .put("planned", record.planned().map(StandingJson::of))
                .putStrings("sinks", record.sinks().keySet())
                .put("sinkLabels", labels(record))
                .putStrings("retiredSinks", record.retiredSinks())
                .putStrings("requires", record.requires())
                .put("candidates", candidates(standing));
        StonithJson.of(standing.observed()).ifPresent(stonith -> json.put("stonith", stonith));
        standing.obstacle().ifPresent(why -> json.put("unread", why));
        return json;
    }

    public static JsonObject of(Candidate candidate) {
        JsonObject json = new JsonObject()
                .put("id", candidate.id().value())
                .put("name", candidate.name())
                .put("address", candidate.address());
        return with(json, candidate.extras());
    }

    /** In the order of their turns. Who is cordoned is told to be; of all others nothing is said. */
    private static List<JsonObject> candidates(Standing standing) {
        Cordons cordons = standing.record().cordons();
        return Turns.of(standing.record()).inOrder(standing.candidates()).stream()
                .map(one -> cordons.cover(one.candidate()) ? of(one).put("cordoned", true) : of(one))
                .toList();
    }

    private static JsonObject of(Enlisted enlisted) {
        return of(enlisted.candidate()).put("since", enlisted.since()).putStrings("supports", enlisted.supports());
    }

    /** The cordons of a record, in order of whom they mean. */
    public static List<JsonObject> cordons(LeaderRecord record) {
        return record.cordons().all().stream().map(StandingJson::of).toList();
    }

    public static JsonObject of(Cordon cordon) {
        return new JsonObject()
                .put("whom", cordon.whom())
                .put("by", cordon.by())
                .put("why", cordon.why())
                .put("at", cordon.at());
    }

    public static JsonObject of(Freeze freeze) {
        return new JsonObject()
                .put("by", freeze.by())
                .put("why", freeze.why())
                .put("at", freeze.at())
                .put("number", freeze.number());
    }

    public static JsonObject of(PlannedTransfer planned) {
        return new JsonObject()
                .put("to", planned.to())
                .put("notBefore", planned.notBefore())
                .put("by", planned.by())
                .put("at", planned.at());
    }

    private static JsonObject of(Request request) {
        JsonObject json = new JsonObject().put("id", request.id()).put("term", request.term());
        if (request instanceof Request.TransferTo transfer) {
            json.put("kind", "transfer").put("to", transfer.successor().value());
        } else {
            json.put("kind", "resign");
        }
        return with(json, request.extras());
    }

    /** The attributes, where there are some. */
    private static JsonObject with(JsonObject json, Extras extras) {
        if (extras.attributes().isEmpty()) {
            return json;
        }
        JsonObject attributes = new JsonObject();
        extras.attributes().forEach(attributes::put);
        return json.put("attributes", attributes);
    }

    private static JsonObject labels(LeaderRecord record) {
        JsonObject labels = new JsonObject();
        record.sinks().forEach((id, label) -> labels.put(id.value(), label));
        return labels;
    }
}
