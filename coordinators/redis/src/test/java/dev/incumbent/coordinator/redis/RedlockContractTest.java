package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;

/** Three masters that know nothing of each other hold the contract together. */
final class RedlockContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new RedisRig(SharedServers.three(), Duration.ofMillis(1_250));
    }
}
