package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
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
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A coordinator in a SQLite file, shared by the processes of one machine.
 *
 * <p>Three threads at most, each with a connection: one for calls, one for leases, so that no call's flush of the disk delays a
 * keep-alive, and while somebody watches one that polls.
 */
final class SqliteCoordinator implements Coordinator {
    private static final Duration LEASE_FLOOR = Duration.ofMillis(500);
    private static final Duration POLL = Duration.ofMillis(50);

    /** Linearizable while the files bear the store's names; leases by the machine's monotonic clock. */
    static final Capabilities CAPABILITIES = new Capabilities(
            LEASE_FLOOR,
            Duration.ofMillis(1),
            POLL,
            false,
            true,
            Capabilities.ExpiryClock.MACHINE,
            Capabilities.Consistency.LINEARIZABLE);

    private final SqliteStore store;
    private final SqliteLane calls;
    private final SqliteLane leases;
    private final SqliteLane polls;
    private final Poller poller;

    /** Leases told dead because the store's files were replaced: dead also where the old files come back. */
    private final Set<LeaseId> lost = ConcurrentHashMap.newKeySet();

    private SqliteCoordinator(SqliteStore store, SqliteLane.Clocks clocks) {
        this.store = store;
        this.calls = new SqliteLane("calls", store, SqliteStore.Durability.DISK, clocks);
        this.leases = new SqliteLane("leases", store, SqliteStore.Durability.BOOT, clocks);
        this.polls = new SqliteLane("polls", store, SqliteStore.Durability.BOOT, clocks);
        this.poller = new Poller(
                (work, then) -> polls.submit(SqliteCall.Kind.READ, work, then), clocks.timeline(), POLL.toNanos());
    }

    /** Opens the store; one that is only locked for now is left to the calls to come. */
    static SqliteCoordinator open(SqliteStore store, SqliteLane.Clocks clocks) {
        store.prepare();
        SqliteCoordinator coordinator = new SqliteCoordinator(store, clocks);
        try {
            coordinator.calls.open();
        } catch (SQLException e) {
            CoordinatorException failure = Failures.beforeCommit(store.path(), e);
            if (failure instanceof CoordinatorUnusableException) {
                throw failure;
            }
        } catch (IOException e) {
            throw new CoordinatorUnusableException(
                    "the coordinator file " + store.path() + " cannot be opened: " + e, e);
        }
        return coordinator;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        Duration length = timeToLive.compareTo(LEASE_FLOOR) < 0 ? LEASE_FLOOR : timeToLive;
        LeaseId id = new LeaseId(UUID.randomUUID().toString());
        return write(leases, SqliteCall.Kind.WRITE, tx -> {
            Leases.grant(tx, id, owner, length);
            return new GrantedLease(id, length);
        });
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        if (lost.contains(lease)) {
            return CompletableFuture.failedStage(replaced(lease));
        }
        if (store.mode() == Mode.READ_ONLY) {
            return refused();
        }
        Work<Void> keeping = tx -> {
            Leases.keepAlive(tx, lease);
            return done();
        };
        return leases.submit(SqliteCall.Kind.REPEATABLE_WRITE, keeping, () -> {
            lost.add(lease);
            return replaced(lease);
        });
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return write(leases, SqliteCall.Kind.REPEATABLE_WRITE, tx -> {
            Leases.revoke(tx, lease);
            return done();
        });
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return calls.submit(SqliteCall.Kind.READ, tx -> Records.read(tx, asked));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(calls, SqliteCall.Kind.WRITE, tx -> Records.swap(tx, election, expected, next));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return poller.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return write(calls, SqliteCall.Kind.WRITE, tx -> {
            Candidates.enlist(tx, election, candidate);
            return done();
        });
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return write(calls, SqliteCall.Kind.WRITE, tx -> {
            Candidates.withdraw(tx, election, candidate);
            return done();
        });
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return calls.submit(SqliteCall.Kind.READ, tx -> Candidates.list(tx, asked));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return calls.submit(SqliteCall.Kind.READ, tx -> Records.list(tx, prefix));
    }

    /** Empty: the store has no clock but this machine's. */
    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        poller.close();
        polls.close();
        leases.close();
        calls.close();
        store.close();
    }

    private <T> CompletionStage<T> write(SqliteLane lane, SqliteCall.Kind kind, Work<T> work) {
        return store.mode() == Mode.CREATE ? lane.submit(kind, work) : refused();
    }

    private <T> CompletionStage<T> refused() {
        return CompletableFuture.failedStage(new CoordinatorUnusableException(
                "the coordinator file " + store.path() + " was opened to be read only"));
    }

    private LeaseLostException replaced(LeaseId lease) {
        return new LeaseLostException(lease, "the file " + store.path() + " was deleted, moved or replaced");
    }

    @SuppressWarnings("NullAway") // Void has no other value.
    private static Void done() {
        return null;
    }
}
