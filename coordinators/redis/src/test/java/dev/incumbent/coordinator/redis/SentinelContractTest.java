package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;

/** One server that a sentinel names holds the contract. */
final class SentinelContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new SentinelRig(Duration.ofSeconds(2));
    }
}
