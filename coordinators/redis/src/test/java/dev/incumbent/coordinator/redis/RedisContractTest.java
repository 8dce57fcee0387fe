package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;

/** One server holds the contract. */
final class RedisContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new RedisRig(SharedServers.one(), pace.requestTimeout(Duration.ofMillis(1_250)));
    }
}
