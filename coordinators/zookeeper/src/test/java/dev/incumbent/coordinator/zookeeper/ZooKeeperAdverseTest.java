package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.servers.ZooKeeperServer;

/** Candidacies on a ZooKeeper server in trouble. */
final class ZooKeeperAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return new ZooKeeperAdverseRig(ZooKeeperServer.start(Servers.TICK));
    }
}
