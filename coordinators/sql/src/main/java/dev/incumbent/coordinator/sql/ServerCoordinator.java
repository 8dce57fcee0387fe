package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A coordinator in a database server: PostgreSQL, MariaDB or MySQL, H2.
 *
 * <p>Sessions, each with a daemon thread: one for leases, so that no call's wait for a lock delays a keep-alive; one for calls, and up to three more while
 * calls wait; and one that watches.
 */
final class ServerCoordinator implements Coordinator {
    private static final int MOST_CALLS_AT_ONCE = 4;

    private final ServerStore store;
    private final Timeline timeline;
    private final ServerLanes calls;
    private final ServerLanes keeping;
    private final ServerWatch watch;
    private final ServerLeases leases;
    private final ServerElections elections;
    private final ServerCandidates candidates;
    private final Optional<ServerJoints> joints;
    private final Optional<SwapNotifier> notifier;

    private ServerCoordinator(ServerStore store, Timeline timeline) {
        this.store = store;
        this.timeline = timeline;
        this.calls = new ServerLanes("calls", MOST_CALLS_AT_ONCE, store, timeline);
        this.keeping = new ServerLanes("leases", 1, store, timeline);
        this.leases = new ServerLeases(store);
        this.elections = new ServerElections(store, leases);
        this.candidates = new ServerCandidates(store, leases);
        this.joints = store.dialect().joints();
        this.notifier = store.dialect().notification().map(query -> new SwapNotifier(store, calls, query));
        this.watch = new ServerWatch(store, elections, timeline);
    }

    /** Connects; a server that cannot be reached, or does not answer within the request timeout, is left to the calls to come. */
    static ServerCoordinator open(ServerStore store, Timeline timeline) {
        ServerCoordinator coordinator = new ServerCoordinator(store, timeline);
        try {
            coordinator.calls.read(store::isReady).get(store.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CoordinatorUnusableException unusable) {
                coordinator.close();
                throw unusable;
            }
        } catch (TimeoutException unanswered) {
            return coordinator;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return coordinator;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        Duration floor = capabilities().leaseFloor();
        Duration length = timeToLive.compareTo(floor) < 0 ? floor : timeToLive;
        LeaseId id = new LeaseId(UUID.randomUUID().toString());
        return write(keeping, session -> {
            leases.grant(session, id, owner, length);
            return new GrantedLease(id, length);
        });
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return write(keeping, session -> {
            leases.keepAlive(session, lease);
            return done();
        });
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return write(keeping, session -> {
            leases.revoke(session, lease);
            return done();
        });
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> asked) {
        Set<ElectionName> names = Set.copyOf(asked);
        return calls.read(session -> elections.readings(session, names));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        Optional<Share<?, Swap>> share = joints.map(it -> it.swap(new ServerJoints.Swapping(election, expected, next)));
        CompletionStage<Swap> swap = write(calls, share, session -> elections.swap(session, election, expected, next));
        return notifier.isEmpty() || expected.equals(Revision.ABSENT)
                ? swap
                : swap.thenApply(answer -> notified(election, answer));
    }

    private Swap notified(ElectionName election, Swap answer) {
        if (answer instanceof Swap.Accepted) {
            notifier.ifPresent(it -> it.swapped(election));
        }
        return answer;
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return watch.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        Optional<Share<?, Boolean>> share =
                joints.map(it -> it.enlist(new ServerJoints.Enlisting(election, candidate)));
        return write(calls, share, session -> {
                    candidates.enlist(session, election, candidate);
                    return true;
                })
                .thenApply(enlisted -> done());
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return write(calls, session -> {
            candidates.withdraw(session, election, candidate);
            return done();
        });
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> asked) {
        Set<ElectionName> names = Set.copyOf(asked);
        return calls.read(session -> candidates.list(session, names, timeline.nanos()));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return calls.read(session -> elections.list(session, prefix));
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return calls.read(session -> Optional.of(leases.clock(session)));
    }

    @Override
    public Capabilities capabilities() {
        return store.dialect().capabilities();
    }

    @Override
    public void close() {
        watch.close();
        notifier.ifPresent(SwapNotifier::finish);
        keeping.close();
        calls.close();
    }

    private <T> CompletionStage<T> write(ServerLanes lanes, ServerWork<T> work) {
        return write(lanes, Optional.empty(), work);
    }

    private <T> CompletionStage<T> write(ServerLanes lanes, Optional<Share<?, T>> share, ServerWork<T> work) {
        CompletionStage<T> refused = CompletableFuture.failedStage(
                new CoordinatorUnusableException("the coordinator " + store.label() + " was opened to be read only"));
        return store.mayWrite() ? lanes.write(work, share) : refused;
    }

    @SuppressWarnings("NullAway") // Void has no other value.
    private static Void done() {
        return null;
    }
}
