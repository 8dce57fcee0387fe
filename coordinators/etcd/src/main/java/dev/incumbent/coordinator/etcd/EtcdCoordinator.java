package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdClient;
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
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A coordinator in etcd. Four threads at most: one for writes, one for reads, which prove terms and so wait for no write, one for leases, so
 * that nothing delays a keep-alive, and one for the watch.
 */
final class EtcdCoordinator implements Coordinator {
    /** What etcd grants at least with its default election timeout of 1 s. */
    static final Duration LEASE_FLOOR = Duration.ofSeconds(2);

    /** Linearizable; leases by the etcd leader's monotonic clock, looked at every half second. */
    static final Capabilities CAPABILITIES = new Capabilities(
            LEASE_FLOOR,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            true,
            true,
            Capabilities.ExpiryClock.SERVER_MONOTONIC,
            Capabilities.Consistency.LINEARIZABLE);

    private final EtcdAddress address;
    private final Mode mode;
    private final EtcdClient client;
    private final Leases leases;
    private final Records records;
    private final Candidates candidates;
    private final Watches watches;

    EtcdCoordinator(EtcdAddress address, Timeline timeline, Duration requestTimeout, Mode mode) {
        Keys keys = new Keys(address.prefix());
        this.address = address;
        this.mode = mode;
        this.client = new EtcdClient(address, requestTimeout);
        this.leases = new Leases(client, keys);
        this.records = new Records(client, keys, timeline, requestTimeout);
        this.candidates = new Candidates(client, keys);
        this.watches = new Watches(client, keys, leases, records, requestTimeout.toNanos());
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return write(() -> leases.grant(owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return done(write(() -> leases.keepAlive(lease)));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return done(write(() -> leases.revoke(lease)));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return Failures.told(Records.read(Set.copyOf(elections), watches::read));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(() -> records.swap(election, expected, next));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return watches.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return done(write(() -> candidates.enlist(election, candidate)));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return done(write(() -> candidates.withdraw(election, candidate)));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return Failures.told(candidates.list(Set.copyOf(elections)));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return Failures.told(candidates.elections(prefix));
    }

    /** Empty: etcd tells no time. */
    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<OptionalInt> memberCount() {
        return Failures.told(client.voters().thenApply(OptionalInt::of));
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        watches.close();
        client.close();
    }

    private <T> CompletionStage<T> write(Supplier<CompletionStage<T>> call) {
        return mode == Mode.CREATE
                ? Failures.told(call.get())
                : CompletableFuture.failedStage(
                        new CoordinatorUnusableException("the coordinator " + address + " was opened to be read only"));
    }

    private static CompletionStage<Void> done(CompletionStage<?> stage) {
        return Failures.told(stage.thenAccept(value -> {}));
    }
}
