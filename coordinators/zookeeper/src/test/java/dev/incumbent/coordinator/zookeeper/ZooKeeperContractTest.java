package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;

/** ZooKeeper holds the contract, on a real server. */
final class ZooKeeperContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new ZooKeeperRig(Servers.shared(), Duration.ofMillis(1_500));
    }
}
