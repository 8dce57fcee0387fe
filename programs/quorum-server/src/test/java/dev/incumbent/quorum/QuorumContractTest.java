package dev.incumbent.quorum;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;

/** Three nodes hold the contract. */
final class QuorumContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        Duration requestTimeout = pace.requestTimeout(Duration.ofMillis(1_500));
        return new QuorumRig(Quorums.calm(), Pace.lease(Duration.ofMillis(2_500), requestTimeout), requestTimeout);
    }
}
