package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.Heartbeat;
import dev.incumbent.agent.elections.OwnerProcess;
import dev.incumbent.agent.elections.Stander;
import dev.incumbent.agent.owners.OwnersEffect;
import dev.incumbent.agent.owners.OwnersEffect.Reply;
import dev.incumbent.agent.owners.OwnersSetup;
import dev.incumbent.model.ElectionName;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Stands, keeps standing and withdraws for programs of this host. Thread-safe. */
final class Campaigning {
    private static final int LONGEST_NAME = 128;
    /** Far longer than any lease. */
    private static final long LONGEST_TTL_MILLIS = TimeUnit.DAYS.toMillis(365);

    private static final String UNNAMED = "owner";

    private final ElectionRouter elections;

    Campaigning(ElectionRouter elections) {
        this.elections = elections;
    }

    void stand(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        Json body = exchange.body(List.of("ttlMs", "name", "watchdog", "pid"));
        long ttlMillis = Math.min(number(body, "ttlMs"), LONGEST_TTL_MILLIS);
        String name = body.has("name") ? body.at("name").text() : UNNAMED;
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw Problem.unclear("name has 1 to " + LONGEST_NAME + " characters, none of them a control character");
        }
        boolean watched = flag(body, "watchdog");
        if (watched) {
            asker.require(Right.WATCHDOG, election);
        }
        Stander stander =
                new Stander(name, Duration.ofMillis(Math.max(0, ttlMillis)), watched, process(body, election, watched));
        elections.of(election).campaign(election, stander, reply -> stood(exchange, election, ttlMillis, reply));
    }

    private static boolean flag(Json body, String name) {
        if (body.has(name) && body.at(name).kind() != Json.Kind.FLAG) {
            throw Problem.unclear(name + " is true or false");
        }
        return body.has(name) && body.at(name).flag();
    }

    /** The process that the body names. It runs now, so that its end can be seen. */
    private Optional<OwnerProcess> process(Json body, ElectionName election, boolean watched) {
        if (!body.has("pid")) {
            return Optional.empty();
        }
        long pid = number(body, "pid");
        Optional<OwnerProcess> process = OwnerProcess.of(pid);
        boolean isOfUse = watched || elections.of(election).turnsOff(election);
        if (!isOfUse || process.isEmpty()) {
            throw Problem.unclear(
                    isOfUse
                            ? "this host has no process " + pid + " now; pid names the one that does the work"
                            : "pid goes with \"watchdog\":true, or with an election whose former leaders this agent has"
                                    + " turned off, and with nothing else");
        }
        return process;
    }

    private void stood(Exchange exchange, ElectionName election, long ttlMillis, Reply reply) {
        if (reply instanceof OwnersEffect.Stands stands) {
            long every = elections.of(election).owners().heartbeatNanos(TimeUnit.MILLISECONDS.toNanos(ttlMillis));
            exchange.answer(
                    201,
                    new JsonWriter()
                            .openObject()
                            .field("id", stands.id())
                            .field("heartbeatMs", TimeUnit.NANOSECONDS.toMillis(every))
                            .closeObject()
                            .done());
        } else if (reply instanceof OwnersEffect.Refused refused) {
            exchange.problem(refusal(election, refused.why()));
        }
    }

    private Problem refusal(ElectionName election, OwnersEffect.Why why) {
        OwnersSetup owners = elections.of(election).owners();
        return switch (why) {
            case TTL ->
                Problem.unclear("ttlMs is " + TimeUnit.NANOSECONDS.toMillis(owners.leastTtlNanos()) + " to "
                        + TimeUnit.NANOSECONDS.toMillis(owners.mostTtlNanos()) + ", the length of the agent's lease");
            case WATCHDOG ->
                new Problem(
                        503,
                        elections
                                .watchdog()
                                .map(one -> "the watchdog " + one.device() + " guards no work now: "
                                        + one.trouble().orElse("it has just recovered; ask again"))
                                .orElse(
                                        "this agent has no watchdog, which 'incumbent agent --watchdog DEVICE' gives it"));
            case PROCESS ->
                Problem.unclear(
                        "this agent has former leaders of " + election
                                + " turned off, so it must see when the work has stopped: name the process that does it by \"pid\"");
            case FULL -> new Problem(503, "as many owners stand in " + election + " or elsewhere here as may");
            case DRAINING -> new Problem(503, "the agent ends, and lets nobody stand any more");
        };
    }

    /** The heartbeat of an owner. */
    void beat(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        Json body = exchange.body(List.of("stopped"));
        OptionalLong stopped = body.has("stopped") ? OptionalLong.of(number(body, "stopped")) : OptionalLong.empty();
        Heartbeat beat = new Heartbeat(asked.id(), stopped, asked.duration("wait"));
        elections.of(election).heartbeat(election, beat, reply -> told(exchange, election, reply));
    }

    /** An owner withdraws. */
    void leave(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        elections.of(election).leave(election, asked.id(), reply -> told(exchange, election, reply));
    }

    private static void told(Exchange exchange, ElectionName election, Reply reply) {
        JsonWriter json = new JsonWriter().openObject();
        if (reply instanceof OwnersEffect.Leads leads) {
            json.name("leads").value(true).field("token", leads.token());
            json.field("holdsMs", TimeUnit.NANOSECONDS.toMillis(leads.holdsNanos()));
        } else if (reply instanceof OwnersEffect.Waits waits) {
            json.name("leads").value(false).field("place", waits.place());
            if (waits.ended() > 0) {
                json.field("ended", waits.ended());
            }
        } else if (reply instanceof OwnersEffect.Unknown) {
            exchange.problem(
                    new Problem(
                            404,
                            "no such candidacy stands in " + election
                                    + ": it was not heard in time, or the agent was started again; stop, DELETE this candidacy, then stand again"));
            return;
        }
        exchange.answer(200, json.closeObject().done());
    }

    /** A whole number of the body, which must be there. */
    static long number(Json body, String name) {
        if (body.at(name).kind() == Json.Kind.NUMBER) {
            try {
                return body.at(name).number();
            } catch (NumberFormatException fraction) {
                throw Problem.unclear(name + " is no whole number");
            }
        }
        throw Problem.unclear("the body needs the field " + name + ", a whole number");
    }
}
