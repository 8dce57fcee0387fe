package dev.incumbent.micrometer;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store in memory, whose grants, keep-alives and reads a test answers. */
final class HeldStore extends ForwardingCoordinator {
    Supplier<CompletionStage<GrantedLease>> grant = CompletableFuture::new;
    Supplier<CompletionStage<Void>> keepAlive = () -> CompletableFuture.completedStage(null);
    Supplier<CompletionStage<Map<ElectionName, Reading>>> read = () -> CompletableFuture.completedStage(Map.of());

    HeldStore() {
        this(new VirtualTimeline());
    }

    private HeldStore(VirtualTimeline time) {
        super(MemoryCoordinator.connect(new MemoryStore(time), time, Duration.ofSeconds(1)));
    }

    /** Makes each call of an election once, in an order in which the store answers each. */
    void callsAllOf(Coordinator coordinator) {
        Candidate me = new Candidate(new CandidateId("me@host-1-a"), "me", "");
        ElectionName job = new ElectionName("job");
        GrantedLease lease = inner().grant(me.id(), Duration.ofSeconds(6))
                .toCompletableFuture()
                .join();
        grant = () -> CompletableFuture.completedStage(lease);
        coordinator.grant(me.id(), Duration.ofSeconds(6));
        coordinator.keepAlive(lease.id());
        coordinator.read(Set.of(job));
        coordinator.swap(job, Revision.ABSENT, LeaderRecord.EMPTY);
        coordinator.enlist(job, new Enlisted(me, lease.id(), Instant.EPOCH, Set.of()));
        coordinator.candidates(Set.of(job));
        coordinator.elections("");
        coordinator.withdraw(job, me.id());
        coordinator.revoke(lease.id());
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return grant.get();
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return keepAlive.get();
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return read.get();
    }
}
