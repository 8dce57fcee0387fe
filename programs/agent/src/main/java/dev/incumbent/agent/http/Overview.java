package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostElections;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Standing;
import dev.incumbent.telling.StandingJson;
import dev.incumbent.telling.StonithJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Tells how many elections stand at one go, in brief: each by its record alone, without candidates. Thread-safe. */
final class Overview {
    /** Elections of one request. */
    static final int MOST = 100;

    private final ElectionRouter elections;

    Overview(ElectionRouter elections) {
        this.elections = elections;
    }

    /** Those that the asker names; one that he may not read refuses all. */
    void tell(Exchange exchange, Asked asked, Asker asker) {
        Set<ElectionName> named = named(asked);
        named.forEach(name -> asker.require(Right.READ, name));
        exchange.whenKnown(
                elections.records(named),
                readings -> exchange.answer(
                        200,
                        new JsonObject().put("elections", json(named, readings)).toString()));
    }

    private static Set<ElectionName> named(Asked asked) {
        String[] texts = asked.query().getOrDefault("of", "").split(",", -1);
        if (texts.length > MOST) {
            throw Problem.unclear("'of' names " + texts.length + " elections; it names 1 to " + MOST);
        }
        return Arrays.stream(texts).map(Asked::named).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<JsonObject> json(Set<ElectionName> named, Map<ElectionName, Reading> readings) {
        return named.stream()
                .map(name -> new Standing(name, readings.getOrDefault(name, new Reading.Absent()), List.of()))
                .map(Overview::json)
                .toList();
    }

    private static JsonObject json(Standing standing) {
        ObservedRecord observed = standing.observed();
        JsonObject json = new JsonObject()
                .put("election", standing.election().value())
                .put("token", observed.record().term())
                .put("leader", observed.record().leader().map(StandingJson::of))
                .put("leaseAlive", observed.leaseAlive());
        standing.jeopardy().ifPresentOrElse(is -> json.put("jeopardy", is), () -> json.putNull("jeopardy"));
        json.put("frozen", observed.record().freeze().map(StandingJson::of));
        Optional.of(observed.record().since())
                .filter(since -> !since.equals(Instant.EPOCH))
                .ifPresentOrElse(since -> json.put("since", since), () -> json.putNull("since"));
        StonithJson.of(observed).ifPresent(stonith -> json.put("stonith", stonith));
        json.put("index", HostElections.index(observed));
        standing.obstacle().ifPresent(why -> json.put("unread", why));
        return withLease(json, observed);
    }

    /** How long the leader's lease is, and what is left of it, where the store tells. Both are for people. */
    static JsonObject withLease(JsonObject json, ObservedRecord observed) {
        putMillis(
                json,
                "leaseMs",
                observed.record().leader().map(leads -> observed.record().leaseLength()));
        putMillis(json, "leaseRemainingMs", observed.leaseRemaining().filter(left -> observed.leaseAlive()));
        return json;
    }

    private static void putMillis(JsonObject json, String name, Optional<Duration> length) {
        length.ifPresentOrElse(known -> json.put(name, Math.max(0, known.toMillis())), () -> json.putNull(name));
    }
}
