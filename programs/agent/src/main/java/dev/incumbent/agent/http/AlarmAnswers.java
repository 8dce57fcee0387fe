package dev.incumbent.agent.http;

import dev.incumbent.agent.alarms.AlarmList;
import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostElections;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.conflict.StaleWrite;
import dev.incumbent.wire.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Tells the alarms of this agent, and takes what its writers report. Thread-safe. */
final class AlarmAnswers {
    private static final int LONGEST_TEXT = 200;

    private final ElectionRouter elections;

    AlarmAnswers(ElectionRouter elections) {
        this.elections = elections;
    }

    /** Those of the elections that the asker may read. How many found no place is for whoever may read all. */
    void list(Exchange exchange, Asked asked, Asker asker) {
        JsonObject json = new JsonObject()
                .put("open", json(readable(asker, AlarmList::open)))
                .put("over", json(newestFirst(readable(asker, AlarmList::over))));
        if (asker.readsAll()) {
            json.put(
                    "unlisted",
                    elections.all().stream()
                            .map(HostElections::alarms)
                            .mapToLong(AlarmList::unlisted)
                            .sum());
        }
        exchange.answer(200, json.toString());
    }

    private static List<JsonObject> json(List<ConflictAlarm> alarms) {
        return alarms.stream().map(ConflictAlarm::json).toList();
    }

    /** Of all coordinators together. */
    static List<ConflictAlarm> newestFirst(List<ConflictAlarm> over) {
        return over.stream()
                .sorted(Comparator.comparing(
                                (ConflictAlarm alarm) -> alarm.until().orElse(Instant.MAX))
                        .reversed())
                .toList();
    }

    private List<ConflictAlarm> readable(Asker asker, Function<AlarmList, List<ConflictAlarm>> part) {
        List<ConflictAlarm> readable = new ArrayList<>();
        for (HostElections one : elections.all()) {
            part.apply(one.alarms()).stream()
                    .filter(alarm -> asker.may(Right.READ, alarm.conflict().election()))
                    .forEach(readable::add);
        }
        return readable;
    }

    /** A writer was refused by a sink. */
    void stale(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        Json body = exchange.body(List.of("token", "sink", "inForce"));
        long token = Campaigning.number(body, "token");
        if (token < 1) {
            throw Problem.unclear("token is 1 or more");
        }
        StaleWrite write = new StaleWrite(token, text(body, "sink"), text(body, "inForce"));
        elections.of(election).reportStale(election, write);
        exchange.answer(200, "{}");
    }

    /** Of others' texts, so of a few printable characters. */
    private static String text(Json body, String name) {
        if (!body.has(name)) {
            return "";
        }
        String text = body.at(name).kind() == Json.Kind.TEXT ? body.at(name).text() : "";
        if (text.isBlank() || text.length() > LONGEST_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw Problem.unclear(name + " has 1 to " + LONGEST_TEXT + " characters, none of them a control character");
        }
        return text;
    }
}
