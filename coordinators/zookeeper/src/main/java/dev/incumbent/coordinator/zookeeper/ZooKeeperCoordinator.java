package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.calls.Deadlines;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
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
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A coordinator in a ZooKeeper ensemble.
 *
 * <p>One thread of its own owns all state and calls the watchers. ZooKeeper's client brings two threads for the session that reads and swaps, and two for the session of
 * each lease.
 */
final class ZooKeeperCoordinator implements Coordinator {
    /** With the servers' default settings: a tick of 2 s, sessions of 2 to 20 ticks, and ends of sessions judged once a tick. */
    static final Capabilities CAPABILITIES = new Capabilities(
            Duration.ofSeconds(4),
            Duration.ofMillis(1),
            Duration.ofSeconds(4),
            true,
            false,
            Capabilities.ExpiryClock.SERVER_MONOTONIC,
            Capabilities.Consistency.LINEARIZABLE);

    private final Surroundings around;
    private final Watches watches;
    private final Line line;
    private final Records records;
    private final Candidates candidates;
    private final Leases leases;
    private final Deadlines deadlines;
    private final Set<ZooKeeperCall<?>> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ZooKeeperCoordinator(Surroundings around) {
        this.around = around;
        this.watches = new Watches(around);
        this.line = watches.line();
        this.records = watches.records();
        this.candidates = new Candidates(around, line);
        this.leases = new Leases(around, line);
        this.deadlines = (nanos, task) ->
                around.timeline().at(nanos, () -> around.turns().execute(task))::cancel;
    }

    /** Begins to connect. */
    static ZooKeeperCoordinator open(ZooKeeperUri address, Timeline timeline, Duration requestTimeout, Mode mode) {
        Surroundings around = new Surroundings(address, timeline, requestTimeout, mode, Owner.at(address), new Turns());
        ZooKeeperCoordinator opened = new ZooKeeperCoordinator(around);
        around.turns().execute(opened.line.connection()::open);
        return opened;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return write(call -> leases.grant(call, owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return done(write(call -> leases.keepAlive(call, lease)));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return done(write(call -> leases.revoke(call, lease)));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return asked.isEmpty()
                ? CompletableFuture.completedStage(Map.of())
                : begin(false, call -> records.read(call, asked));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(call -> records.swap(call, election, expected, next));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return watches.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return done(write(call -> candidates.enlist(call, election, candidate)));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return done(write(call -> candidates.withdraw(call, election, candidate)));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return begin(false, call -> candidates.list(call, asked));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return begin(false, call -> candidates.elections(call, prefix));
    }

    /** Empty: ZooKeeper tells its wall clock only of what was written, and decides nothing by it. */
    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Empty for one server alone, which tells no list. */
    @Override
    public CompletionStage<OptionalInt> memberCount() {
        return begin(false, records::voters);
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        around.turns().execute(() -> {
            new ArrayList<>(underWay).forEach(call -> call.giveUp("was closed meanwhile"));
            watches.close();
            leases.leave();
            line.connection().close();
        });
        around.turns().close();
    }

    @SuppressWarnings("NullAway") // Void has no other value.
    private static CompletionStage<Void> done(CompletionStage<Boolean> call) {
        return call.thenApply(applied -> null);
    }

    private <T> CompletionStage<T> write(Consumer<ZooKeeperCall<T>> request) {
        if (around.mode() == Mode.READ_ONLY) {
            return CompletableFuture.failedStage(
                    new CoordinatorUnusableException(around.address() + " was opened to be read only"));
        }
        return begin(true, request);
    }

    private <T> CompletionStage<T> begin(boolean writes, Consumer<ZooKeeperCall<T>> request) {
        long deadlineNanos = around.nanos() + around.requestTimeout().toNanos();
        ZooKeeperCall<T> call = new ZooKeeperCall<>(around.address(), writes, deadlineNanos);
        if (closed.get()) {
            call.giveUp("is closed");
            return call.reply();
        }
        call.limitBy(deadlines, () -> line.connection().forget(call));
        underWay.add(call);
        var unused = call.reply().whenComplete((value, failure) -> underWay.remove(call));
        around.turns().execute(() -> request.accept(call));
        if (closed.get()) {
            call.giveUp("was closed meanwhile");
        }
        return call.reply();
    }
}
