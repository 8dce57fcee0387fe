package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;

/** Candidacies on a ZooKeeper server in trouble. */
final class ZooKeeperAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return ZooKeeperAdverseRig.start();
    }
}
