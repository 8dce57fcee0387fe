package dev.incumbent.agent.http;

import dev.incumbent.ElectionStatus;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostElections;
import dev.incumbent.agent.elections.LocalTerm;
import dev.incumbent.agent.elections.LocalView;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.telling.HistoryJson;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Standing;
import dev.incumbent.telling.StandingJson;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Tells of elections, as the coordinator and this host know them. Thread-safe. */
final class Reading {
    private final ElectionRouter elections;

    Reading(ElectionRouter elections) {
        this.elections = elections;
    }

    /** The names of all elections that the asker may read. */
    void list(Exchange exchange, Asked asked, Asker asker) {
        exchange.whenKnown(
                elections.names(asker.readsOf(elections)),
                names -> exchange.answer(
                        200,
                        new JsonObject()
                                .putStrings(
                                        "elections",
                                        names.stream()
                                                .filter(name -> asker.may(Right.READ, name))
                                                .sorted()
                                                .toList())
                                .toString()));
    }

    /** How one stands; if the asker knows an index, once it is another one. */
    void one(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        if (asked.query().containsKey("index")) {
            elections
                    .of(election)
                    .awaitOther(election, asked.whole("index"), asked.duration("wait"), () -> tell(exchange, election));
        } else {
            tell(exchange, election);
        }
    }

    private void tell(Exchange exchange, ElectionName election) {
        exchange.whenKnown(
                elections.of(election).local(election),
                local -> exchange.whenKnown(
                        elections.of(election).status(election),
                        status -> exchange.answer(200, json(status, local).toString())));
    }

    /** The terms that are over, as many as the record remembers, the oldest first. */
    void history(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        exchange.whenKnown(
                elections.of(election).status(election),
                status -> exchange.answer(
                        200,
                        new JsonObject()
                                .put("election", election.value())
                                .put("terms", HistoryJson.of(status.observed().record()))
                                .toString()));
    }

    private static JsonObject json(ElectionStatus status, LocalView local) {
        JsonObject here = new JsonObject().putStrings("owners", local.owners());
        local.term()
                .ifPresent(term -> here.put("token", term.token())
                        .put("remainingMs", TimeUnit.NANOSECONDS.toMillis(term.remainingNanos())));
        JsonObject standing = StandingJson.of(Standing.of(status)).put("index", HostElections.index(status));
        return Overview.withLease(standing, status.observed()).put("here", here);
    }

    /** For a balancer that sends its requests to the leader alone: does a program of this host lead, and hold now? */
    void leads(Exchange exchange, Asked asked, Asker asker) {
        answerIfHeld(exchange, asked.election(1));
    }

    /** A host that stands by is healthy, unless its leadership is what somebody asks for. */
    void healthy(Exchange exchange, Asked asked, Asker asker) {
        Optional<ElectionName> election = asked.election("leader");
        if (election.isPresent()) {
            asker.require(Right.READ, election.get());
            answerIfHeld(exchange, election.get());
        } else {
            exchange.answer(200, "{}");
        }
    }

    private void answerIfHeld(Exchange exchange, ElectionName election) {
        exchange.whenKnown(elections.of(election).local(election), local -> {
            LocalTerm held = local.term()
                    .filter(term -> term.remainingNanos() > 0)
                    .orElseThrow(() -> new Problem(503, "no program of this host leads " + election + " now"));
            exchange.answer(200, new JsonObject().put("token", held.token()).toString());
        });
    }

    /** Is this token the one of the present leader, and does its validity last that long? Only the agent of the leader's host knows for how long. */
    void check(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        long token = asked.token("token");
        Duration need = asked.duration("need");
        exchange.whenKnown(elections.of(election).local(election), local -> {
            Optional<LocalTerm> own = local.term().filter(term -> term.token() == token);
            if (own.isPresent()) {
                answer(exchange, own.get(), need);
            } else {
                exchange.whenKnown(
                        elections.of(election).status(election), status -> answerAbroad(exchange, status, token, need));
            }
        });
    }

    private static void answer(Exchange exchange, LocalTerm own, Duration need) {
        long remaining = TimeUnit.NANOSECONDS.toMillis(own.remainingNanos());
        if (remaining <= 0 || remaining < need.toMillis()) {
            throw new Problem(
                    409,
                    "token " + own.token() + " holds for " + remaining + " ms more, and " + need.toMillis()
                            + " ms are needed");
        }
        exchange.answer(
                200,
                new JsonObject()
                        .put("token", own.token())
                        .put("remainingMs", remaining)
                        .toString());
    }

    private static void answerAbroad(Exchange exchange, ElectionStatus status, long token, Duration need) {
        LeaderRecord record = status.observed().record();
        if (status.observed().isVacant() || record.term() != token) {
            throw new Problem(
                    409,
                    "token " + token + " of " + status.election()
                            + " is not that of a present leader; the last term is " + record.term());
        }
        if (!need.isZero()) {
            throw new Problem(
                    409,
                    "token " + token + " of " + status.election()
                            + " is held on another host, and only the agent there knows for how long");
        }
        exchange.answer(200, new JsonObject().put("token", token).toString());
    }
}
