package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Request;
import java.time.Instant;

/** An election's standing as {@code status -o json} tells it. */
final class StandingJson {
    private StandingJson() {}

    static JsonObject of(Standing standing) {
        LeaderRecord record = standing.record();
        JsonObject json = new JsonObject()
                .put("election", standing.election().value())
                .put("term", record.term())
                .put("token", record.term())
                .put("leader", record.leader().map(StandingJson::of))
                .put("leaseAlive", standing.observed().leaseAlive());
        standing.jeopardy().ifPresentOrElse(is -> json.put("jeopardy", is), () -> json.putNull("jeopardy"));
        json.put("frozen", record.freeze().map(StandingJson::of));
        boolean isNew = record.since().equals(Instant.EPOCH);
        (isNew ? json.putNull("since") : json.put("since", record.since()))
                .put("request", record.request().map(StandingJson::of))
                .putStrings("sinks", record.sinks().keySet())
                .put("sinkLabels", labels(record))
                .putStrings("retiredSinks", record.retiredSinks())
                .putStrings("requires", record.requires())
                .put(
                        "candidates",
                        standing.candidates().stream().map(StandingJson::of).toList());
        standing.obstacle().ifPresent(why -> json.put("unread", why));
        return json;
    }

    static JsonObject of(Candidate candidate) {
        JsonObject json = new JsonObject()
                .put("id", candidate.id().value())
                .put("name", candidate.name())
                .put("address", candidate.address());
        return with(json, candidate.extras());
    }

    private static JsonObject of(Enlisted enlisted) {
        return of(enlisted.candidate()).put("since", enlisted.since()).putStrings("supports", enlisted.supports());
    }

    private static JsonObject of(Freeze freeze) {
        return new JsonObject()
                .put("by", freeze.by())
                .put("why", freeze.why())
                .put("at", freeze.at())
                .put("number", freeze.number());
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
