package dev.incumbent.coordinator.memory;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One client's connection to a {@link MemoryStore}.
 *
 * <p>Has no thread: over a direct wire a call has ended when it returns, and watchers are called on the thread that made the change.
 * While it watches, it asks the store every two request timeouts for all that it watches: an answer is the proof that the watches are
 * current, and no answer is a gap, told three request timeouts after the last answer at the latest.
 */
public final class MemoryCoordinator implements Coordinator {
    private static final Capabilities CAPABILITIES = new Capabilities(
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofMillis(10),
            true,
            true,
            Capabilities.ExpiryClock.SERVER_MONOTONIC,
            Capabilities.Consistency.LINEARIZABLE);

    private static final int ASKS_EVERY = 2;

    private final MemoryStore store;
    private final Wire wire;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Duration asksEvery;
    private final String noAnswer;
    private final Arrivals<Call<?>> pending = new Arrivals<>();
    private final Arrivals<MemoryWatch> watches = new Arrivals<>();
    private final AtomicBoolean asks = new AtomicBoolean();
    private volatile Timeline.Alarm nextAsk = () -> {};
    private volatile boolean closed;

    private MemoryCoordinator(
            MemoryStore store, Wire wire, Timeline timeline, Duration requestTimeout, Duration asksEvery) {
        this.store = store;
        this.wire = wire;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.asksEvery = asksEvery;
        this.noAnswer = "no answer within " + requestTimeout.toMillis() + " ms";
    }

    /** Connects over a direct wire; the client's clocks are {@code timeline}. */
    public static MemoryCoordinator connect(MemoryStore store, Timeline timeline, Duration requestTimeout) {
        return connect(store, Wire.direct(), timeline, requestTimeout);
    }

    /** Connects over that wire. */
    public static MemoryCoordinator connect(MemoryStore store, Wire wire, Timeline timeline, Duration requestTimeout) {
        return connect(store, wire, timeline, requestTimeout, requestTimeout.multipliedBy(ASKS_EVERY));
    }

    /** Connects over that wire, and asks for its watches so often: where that is more seldom than two request timeouts, gaps are told later than the contract wants it. */
    public static MemoryCoordinator connect(
            MemoryStore store, Wire wire, Timeline timeline, Duration requestTimeout, Duration asksEvery) {
        return new MemoryCoordinator(store, wire, timeline, requestTimeout, asksEvery);
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return write(() -> store.grant(timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return done(() -> store.keepAlive(lease));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return done(() -> store.revoke(lease));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        Set<ElectionName> asked = new LinkedHashSet<>(elections);
        return ask(() -> store.read(asked));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(() -> store.swap(election, expected, next));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        MemoryWatch watch = new MemoryWatch(election, watcher, wire, this::forget);
        if (closed) {
            watch.close();
            return watch;
        }
        watches.add(watch);
        askFor(List.of(watch));
        goOnAsking();
        return watch;
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return done(() -> store.enlist(election, candidate));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return done(() -> store.withdraw(election, candidate));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        Set<ElectionName> asked = new LinkedHashSet<>(elections);
        return ask(() -> store.candidates(asked));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return ask(() -> store.elections(prefix));
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return ask(() -> Optional.of(store.wallClock()));
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    /** Ends what is under way: a call that was sent may have applied. */
    @Override
    public void close() {
        closed = true;
        nextAsk.cancel();
        watches.inOrder().forEach(MemoryWatch::close);
        pending.inOrder().forEach(call -> call.abandon("the connection was closed meanwhile"));
    }

    private <T> CompletionStage<T> write(Supplier<T> work) {
        return call(work, true);
    }

    private <T> CompletionStage<T> ask(Supplier<T> work) {
        return call(work, false);
    }

    private CompletionStage<Void> done(Runnable work) {
        Call<Void> call = new Call<>(true, pending::remove);
        return begun(call, () -> Call.send(call, wire, work));
    }

    private <T> CompletionStage<T> call(Supplier<T> work, boolean writes) {
        Call<T> call = new Call<>(writes, pending::remove);
        return begun(call, () -> call.send(wire, work));
    }

    private <T> CompletionStage<T> begun(Call<T> call, Runnable send) {
        if (closed) {
            call.refuse("the connection is closed");
        } else {
            pending.add(call);
            long until = timeline.nanos() + requestTimeout.toNanos();
            send.run();
            call.limit(timeline, until, noAnswer);
        }
        return call.ended();
    }

    private void askAgain() {
        nextAsk = timeline.at(timeline.nanos() + asksEvery.toNanos(), this::askForAllWatches);
        if (closed) {
            nextAsk.cancel();
        }
    }

    private void askForAllWatches() {
        if (watches.isEmpty()) {
            asks.set(false);
            goOnAsking();
        } else {
            askFor(watches.inOrder()).whenComplete((done, failure) -> askAgain());
        }
    }

    private void goOnAsking() {
        if (!watches.isEmpty() && asks.compareAndSet(false, true)) {
            askAgain();
        }
    }

    /** Asks for the present state, and to be told all later ones. */
    private CompletionStage<?> askFor(List<MemoryWatch> some) {
        long sentAtNanos = timeline.nanos();
        CompletionStage<List<Told>> answer = ask(() -> {
            List<Told> told = new ArrayList<>(some.size());
            some.forEach(watch -> told.add(store.watch(watch.election(), watch.line())));
            return told;
        });
        return answer.whenComplete((told, failure) -> {
            if (failure == null) {
                for (int i = 0; i < some.size(); i++) {
                    some.get(i).accept(told.get(i), sentAtNanos);
                }
            } else {
                some.forEach(MemoryWatch::cut);
            }
        });
    }

    private void forget(MemoryWatch watch) {
        watches.remove(watch);
        store.unwatch(watch.election(), watch.line());
    }
}
