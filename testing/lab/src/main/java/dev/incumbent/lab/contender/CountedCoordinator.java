package dev.incumbent.lab.contender;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Says of each call to the store what it is for: renewals, reads and what a watch asks show that somebody is there, all else serves an election. */
final class CountedCoordinator extends ForwardingCoordinator {
    private final CountedWire wire;

    CountedCoordinator(Coordinator inner, CountedWire wire) {
        super(inner);
        this.wire = wire;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return as(() -> super.grant(owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return as(() -> super.revoke(lease));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return as(() -> super.swap(election, expected, next));
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return as(() -> super.enlist(election, candidate));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return as(() -> super.withdraw(election, candidate));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return as(() -> super.candidates(elections));
    }

    private <T> CompletionStage<T> as(Supplier<CompletionStage<T>> call) {
        MessageKind before = wire.carries(MessageKind.ELECTION);
        try {
            return call.get();
        } finally {
            wire.carries(before);
        }
    }
}
