package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;

/** Three masters that know nothing of each other hold the contract together. */
final class RedlockContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new RedisRig(SharedServers.three(), pace.requestTimeout(Duration.ofMillis(1_250)));
    }
}
