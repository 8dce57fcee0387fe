package dev.incumbent.acceptance;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A coordinator, a sink that can be put back, and candidates that pass an office around; and what is asked of them from outside. Used by one thread. */
final class SinkScene implements AutoCloseable {
    private static final int CANDIDATES = 5;
    private static final Duration LONGEST_SUCCESSION = Duration.ofMinutes(2);
    private static final Duration SETTLED = Duration.ofMillis(500);
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final SystemTimeline time = new SystemTimeline();
    private final Patience patience = new Patience(time);
    private final ElectionName election;
    private final Restorable coordinator;
    private final Restorable sink;
    private final Ledger ledger;
    private final Witness witness;
    private final Office office;
    private final Sink asked;

    /** Over the coordinator of that name; each candidate's sink is what is made of it. */
    SinkScene(String name, Office.Times times, UnaryOperator<Sink> guarded) throws SQLException {
        election = new ElectionName("sink-restored/" + name);
        coordinator = Restorables.start(name);
        sink = Restorables.start("postgresql");
        ledger = Ledger.create(sink.uri(), election, "sink_restored");
        witness = new Witness(time, LONGEST_SUCCESSION);
        office = new Office(time, ledger, witness, times, guarded);
        asked = ledger.sink(BOUND);
        office.open(election, CANDIDATES, i -> coordinator.uri());
    }

    /** Lets terms pass until that one begins. */
    boolean passesTo(long term) throws InterruptedException {
        office.stays(false);
        return within(LONGEST_SUCCESSION, () -> witness.lastBegun() >= term);
    }

    /** Lets the leader stay, and tells its term once the sink is raised to it; 0 if none settles. */
    long settles() throws InterruptedException {
        office.stays(true);
        for (int attempt = 0; attempt < CANDIDATES; attempt++) {
            boolean raised = within(LONGEST_SUCCESSION, this::isLedAndRaised);
            long term = witness.lastBegun();
            SystemTimeline.sleep(SETTLED);
            if (raised && isLed() && witness.lastBegun() == term) {
                return term;
            }
        }
        return 0;
    }

    private boolean isLedAndRaised() {
        return isLed() && mark() == witness.lastBegun();
    }

    /** The sink's mark; 0 where it does not answer, or has none. */
    long mark() {
        try {
            return asked.marks(Set.of(election))
                    .toCompletableFuture()
                    .join()
                    .of(election)
                    .map(Mark::token)
                    .map(token -> token.value())
                    .orElse(0L);
        } catch (CompletionException away) {
            return 0;
        }
    }

    void saveSink() {
        sink.save();
    }

    /** Returns when the sink answers again. */
    void putSinkBack() {
        sink.goBack();
    }

    /** Writes with that token from now on, counted apart. */
    Intruder intruder(long token) {
        return new Intruder(ledger.by(sink.uri()), token);
    }

    /** True if all that can be closed is closed, and nobody leads on record. */
    boolean freezes() {
        try (Coordinator probe = Coordinators.open(coordinator.uri(), time, BOUND)) {
            return ElectionAdmin.over(probe, time, election, "trial")
                                    .freeze("its sink goes back", List.of(asked), ElectionAdmin.Until.VACANT)
                                    .toCompletableFuture()
                                    .join()
                            instanceof Freezing.Frozen frozen
                    && frozen.isClosed()
                    && frozen.leader().isEmpty();
        }
    }

    boolean within(Duration bound, BooleanSupplier holds) throws InterruptedException {
        return patience.await(bound, holds);
    }

    boolean isLed() {
        return office.isLed();
    }

    Witness witness() {
        return witness;
    }

    Ledger ledger() {
        return ledger;
    }

    long nanos() {
        return time.nanos();
    }

    @Override
    public void close() {
        office.close();
        asked.close();
        coordinator.close();
        sink.close();
        time.close();
    }
}
