package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;

/** One server holds the contract. */
final class RedisContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new RedisRig(SharedServers.one(), Duration.ofMillis(1_250));
    }
}
