package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;

/** ZooKeeper holds the contract, on a real server. */
final class ZooKeeperContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ZooKeeperRig(Servers.shared(), pace.requestTimeout(Duration.ofMillis(1_500)));
    }
}
