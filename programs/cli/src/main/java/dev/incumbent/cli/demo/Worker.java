package dev.incumbent.cli.demo;

import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.cli.demo.Told.Kind;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Optional;

/**
 * One of the demo's three processes: stands in the election and, while it leads, appends to the ledger.
 *
 * <p>It does what any careful program does: asks the guard, then writes. Between the two lies the instant that only a fence covers.
 */
public final class Worker {
    private static final Duration PACE = Duration.ofMillis(100);

    private final Surroundings around;
    private final ElectionName election;
    private final Timing timing;
    private final boolean fenced;
    private final String sink;
    private final Script script;
    private long attempts;

    Worker(Surroundings around, String election, Timing timing, boolean fenced) {
        this.around = around;
        this.election = new ElectionName(election);
        this.timing = timing;
        this.fenced = fenced;
        this.sink = around.variable(Actor.SINK).orElseThrow();
        this.script = Script.heardFrom(around.in());
    }

    /** {@code NAME ELECTION LEASE_MS fenced|unfenced}; the coordinator and the sink come by the environment, for they may bear credentials. */
    public static void main(String[] args) throws Exception {
        Timing timing = Timing.ofLease(Duration.ofMillis(Long.parseLong(args[2])));
        new Worker(Surroundings.ofThisProcess(), args[1], timing, args[3].equals("fenced")).stand(args[0]);
    }

    /** Returns only where its thread is interrupted. */
    void stand(String name) throws InterruptedException {
        String at = around.variable(Actor.AT).orElseThrow();
        try (Coordinator coordinator = At.open(around, at, Mode.CREATE, timing.requestTimeout());
                Elections elections = Elections.over(coordinator)
                        .name(name)
                        .timing(timing)
                        .timeline(around.timeline())
                        .quiet()
                        .open()) {
            Election stood = guarded(elections);
            tell(Kind.STANDS, 0, elections.candidate().id().value());
            stood.campaign(leadership -> lead(elections, leadership));
            Thread.currentThread().join();
        }
    }

    private Election guarded(Elections elections) {
        Election stood = elections.election(election.value());
        return fenced ? stood.guarding(Sinks.open(around, sink, timing.lease().dividedBy(3))) : stood;
    }

    private void lead(Elections elections, Leadership leadership) throws Exception {
        FencingToken token = leadership.token();
        tell(Kind.LEADS, token.value(), "");
        try (Ledger ledger = Ledger.open(sink, election, fenced)) {
            while (leadership.holds()) {
                String attempt = elections.candidate().id() + "/" + ++attempts;
                script.standStillIfAsked(() -> tell(Kind.CHECKED, token.value(), attempt));
                write(ledger, attempt, token);
                SystemTimeline.sleep(PACE);
            }
        } finally {
            Optional<String> why = Optional.ofNullable(
                            leadership.ended().toCompletableFuture().getNow(null))
                    .map(Object::toString);
            tell(Kind.ENDED, token.value(), why.orElse(""));
        }
    }

    private void write(Ledger ledger, String attempt, FencingToken token) throws Exception {
        ledger.attempt(attempt, token);
        try {
            ledger.append(attempt, token);
            tell(Kind.WROTE, token.value(), attempt);
        } catch (StaleTokenException stale) {
            tell(Kind.REFUSED, token.value(), attempt + " " + stale.getMessage());
            throw stale;
        }
    }

    private void tell(Kind kind, long token, String detail) {
        around.out().println(Told.line(kind, around.timeline().nanos(), token, detail));
    }
}
