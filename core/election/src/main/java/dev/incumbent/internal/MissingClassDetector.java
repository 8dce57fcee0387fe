package dev.incumbent.internal;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.MissingClass;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
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
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Notes, beside whoever asked, each call that fails since a class is missing. Tells that on the thread on which the call fails. */
final class MissingClassDetector extends ForwardingCoordinator {
    private final Consumer<CoordinatorUnusableException> told;

    MissingClassDetector(Coordinator within, Consumer<CoordinatorUnusableException> told) {
        super(within);
        this.told = told;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return noting(() -> inner().grant(owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return noting(() -> inner().keepAlive(lease));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return noting(() -> inner().read(elections));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return noting(() -> inner().swap(election, expected, next));
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return noting(() -> inner().enlist(election, candidate));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return noting(() -> inner().withdraw(election, candidate));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return noting(() -> inner().candidates(elections));
    }

    private <T> CompletionStage<T> noting(Supplier<CompletionStage<T>> call) {
        CompletionStage<T> asked = Calls.of(call);
        asked.whenComplete((answer, failure) -> {
            if (failure != null) {
                MissingClass.behind(failure).ifPresent(told);
            }
        });
        return asked;
    }
}
