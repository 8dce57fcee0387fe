package dev.incumbent.acceptance;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Guard;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One office for which candidates of the shipped library contend, each with a client of its own. Who leads writes rows into the ledger without a pause worth mentioning, and resigns after a while; a {@link Straggler} goes on with its token.
 */
final class Office implements AutoCloseable {
    private static final Duration BETWEEN_ROWS = Duration.ofMillis(20);

    private final SystemTimeline time;
    private final Ledger ledger;
    private final Witness witness;
    private final Straggler straggler;
    private final Times times;
    private final UnaryOperator<Sink> guarded;
    private final Timing timing;
    private final List<Standing> standing = new ArrayList<>();
    private final List<Supplier<Optional<? extends Guard>>> watched = new CopyOnWriteArrayList<>();
    private volatile boolean stays;

    /** One candidate: all it has of its own. */
    private record Standing(Coordinator coordinator, Elections elections, Sink sink, Candidacy candidacy) {}

    /** The lease, and how long a leader leads before it resigns: at least and at most. */
    record Times(Duration lease, Duration least, Duration most) {}

    Office(SystemTimeline time, Ledger ledger, Witness witness, Times times) {
        this(time, ledger, witness, times, sink -> sink);
    }

    /** The same, each candidate's sink being what is made of it. */
    Office(SystemTimeline time, Ledger ledger, Witness witness, Times times, UnaryOperator<Sink> guarded) {
        this.time = time;
        this.ledger = ledger;
        this.witness = witness;
        this.straggler = new Straggler(ledger);
        this.times = times;
        this.guarded = guarded;
        this.timing = Timing.ofLease(times.lease());
    }

    /** So many candidates stand, besides those that do already; {@code uris} tells where each opens the coordinator. */
    void open(ElectionName election, int candidates, IntFunction<String> uris) {
        boolean isFirst = standing.isEmpty();
        for (int i = 0; i < candidates; i++) {
            Standing next = stand(election, "c" + (standing.size() + 1), uris.apply(i));
            standing.add(next);
            watched.add(next.candidacy()::leadership);
        }
        if (isFirst) {
            witness.watchInBackground(watched);
        }
    }

    private Standing stand(ElectionName election, String name, String uri) {
        Coordinator coordinator = Coordinators.open(uri, time, timing.requestTimeout());
        Sink sink = guarded.apply(ledger.sink(timing.lease().dividedBy(3)));
        Elections elections = Elections.over(coordinator)
                .name(name)
                .timing(timing)
                .timeline(time)
                .open();
        Candidacy candidacy =
                elections.election(election.value()).guarding(sink).campaign(leadership -> lead(leadership, name));
        return new Standing(coordinator, elections, sink, candidacy);
    }

    private void lead(Leadership leadership, String name)
            throws SQLException, StaleTokenException, InterruptedException {
        witness.begins(leadership, name);
        long end = time.nanos()
                + ThreadLocalRandom.current()
                        .nextLong(times.least().toNanos(), times.most().toNanos());
        try {
            while (goesOn(leadership, end)) {
                write(leadership, name, end);
            }
        } finally {
            straggler.inherits(leadership.token());
        }
    }

    /** Who is to stay outlives its sink's absence. */
    private void write(Leadership leadership, String name, long end)
            throws SQLException, StaleTokenException, InterruptedException {
        try (Ledger.Pen pen = ledger.pen()) {
            while (goesOn(leadership, end)) {
                pen.write(leadership.token(), name);
                SystemTimeline.sleep(BETWEEN_ROWS);
            }
        } catch (SQLException unanswered) {
            if (!stays) {
                throw unanswered;
            }
            SystemTimeline.sleep(BETWEEN_ROWS);
        }
    }

    private boolean goesOn(Leadership leadership, long end) {
        return leadership.holds() && (stays || time.nanos() < end);
    }

    /** From now on who leads stays, or resigns after a while as at first. */
    void stays(boolean is) {
        stays = is;
    }

    /** Does anybody lead at this instant? */
    boolean isLed() {
        return standing.stream()
                .anyMatch(
                        one -> one.candidacy().leadership().filter(Guard::holds).isPresent());
    }

    /** How each stands, for people. */
    List<String> healths() {
        return standing.stream().map(one -> one.candidacy().health().toString()).toList();
    }

    @Override
    public void close() {
        witness.close();
        standing.forEach(one -> one.candidacy().close());
        standing.forEach(one -> one.elections().close());
        standing.forEach(one -> one.coordinator().close());
        standing.forEach(one -> one.sink().close());
        straggler.close();
    }
}
