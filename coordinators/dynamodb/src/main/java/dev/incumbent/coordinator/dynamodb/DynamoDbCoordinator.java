package dev.incumbent.coordinator.dynamodb;

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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A coordinator in one table. Keep-alives, looks of watches, and all else have threads of their own, so that none of these waits for another. */
final class DynamoDbCoordinator implements Coordinator {
    private static final int THREADS = 6;

    private static final Capabilities CAPABILITIES = new Capabilities(
            Sessions.FLOOR,
            Duration.ofMillis(1),
            Duration.ofMillis(250),
            false,
            true,
            Capabilities.ExpiryClock.OBSERVER,
            Capabilities.Consistency.LINEARIZABLE);

    private final Opened opened;
    private final Mode mode;
    private final TableLane keepAlives;
    private final TableLane looks;
    private final TableLane calls;
    private final Sessions sessions;
    private final Records records;
    private final Candidates candidates;
    private final Poller poller;
    private final AtomicBoolean isSweeping = new AtomicBoolean();
    private int nextSwept;

    DynamoDbCoordinator(Opened opened, Timeline timeline, Duration requestTimeout, Mode mode) {
        this.opened = opened;
        this.mode = mode;
        this.keepAlives = new TableLane("keep-alives", 1, opened.server(), timeline, requestTimeout);
        this.looks = new TableLane("looks", 1, opened.server(), timeline, requestTimeout);
        this.calls = new TableLane("calls", THREADS, opened.server(), timeline, requestTimeout);
        Table table = new Table(opened);
        this.sessions = new Sessions(table, timeline, mode);
        this.records = new Records(table, sessions, timeline);
        this.candidates = new Candidates(table, sessions);
        this.poller = new Poller(new Looking(), timeline);
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return write(calls, call -> sessions.grant(call, owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return write(keepAlives, done(call -> sessions.keepAlive(call, lease)));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return write(calls, done(call -> sessions.revoke(call, lease)));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> asked) {
        Set<ElectionName> names = Set.copyOf(asked);
        return look(calls, names).thenApply(Records.Look::readings);
    }

    /** Batch by batch, as many at once as the lane has threads. */
    private CompletionStage<Records.Look> look(TableLane lane, Set<ElectionName> names) {
        Map<List<ElectionName>, CompletableFuture<Records.Look>> batches = new LinkedHashMap<>();
        Table.batches(names)
                .forEach(batch -> batches.put(
                        batch, lane.run(call -> records.look(call, batch)).toCompletableFuture()));
        return ended(batches.values()).thenApply(done -> Records.Look.together(batches));
    }

    /** Completed when all have ended, one way or the other. */
    private static CompletableFuture<?> ended(Collection<? extends CompletableFuture<?>> all) {
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).handle((done, failure) -> all.size());
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(calls, call -> records.swap(call, election, expected, next));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return poller.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return write(calls, done(call -> candidates.enlist(call, election, candidate)));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return write(calls, done(call -> candidates.withdraw(call, election, candidate)));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> asked) {
        Set<ElectionName> names = Set.copyOf(asked);
        List<CompletableFuture<Candidates.Lists>> batches = Table.batches(names).stream()
                .map(batch -> calls.run(call -> candidates.list(call, batch)).toCompletableFuture())
                .toList();
        return ended(batches).thenApply(done -> {
            Map<ElectionName, List<Enlisted>> standing = new LinkedHashMap<>();
            List<Candidates.Entry> dead = new ArrayList<>();
            for (CompletableFuture<Candidates.Lists> batch : batches) {
                standing.putAll(batch.join().standing());
                dead.addAll(batch.join().dead());
            }
            sweep(dead);
            return standing;
        });
    }

    /** Removes what is dead: these entries, and the leases of one digit after another, if nobody of us is at it. */
    private void sweep(List<Candidates.Entry> dead) {
        if (mode == Mode.READ_ONLY || isSweeping.getAndSet(true)) {
            return;
        }
        char digit = Item.HEX.charAt(nextSwept);
        nextSwept = (nextSwept + 1) % Item.HEX.length();
        CompletionStage<Void> unused = calls.<Void>run(done(call -> {
                    dead.forEach(entry -> candidates.remove(call, entry));
                    sessions.sweep(call, digit);
                }))
                .whenComplete((done, failure) -> isSweeping.set(false));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return calls.run(call -> records.names(call, prefix));
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        poller.close();
        keepAlives.close();
        looks.close();
        calls.close();
        opened.close();
    }

    /** A work that tells nothing. */
    private interface Deed {
        void in(TableCall<?> call);
    }

    @SuppressWarnings("NullAway") // The value of a CompletionStage<Void> is null.
    private static TableCall.Work<Void> done(Deed deed) {
        return call -> {
            deed.in(call);
            return null;
        };
    }

    private <T> CompletionStage<T> write(TableLane lane, TableCall.Work<T> work) {
        if (mode == Mode.READ_ONLY) {
            return CompletableFuture.failedStage(new CoordinatorUnusableException(
                    "the coordinator in " + opened.table() + " was opened to be read only"));
        }
        return lane.run(work);
    }

    /** What the poller looks at. */
    private final class Looking implements Poller.Store {
        @Override
        public CompletionStage<Records.Look> look(Set<ElectionName> names) {
            return DynamoDbCoordinator.this.look(looks, names);
        }

        @Override
        public OptionalLong endNanos(LeaseId lease) {
            return sessions.vigil().endNanos(lease);
        }
    }
}
