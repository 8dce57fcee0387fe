package dev.incumbent.quorum;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;

/** Three nodes hold the contract. */
final class QuorumContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new QuorumRig(Quorums.calm(), Duration.ofMillis(2_500), Duration.ofMillis(1_500));
    }
}
