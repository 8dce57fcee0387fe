package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;

class KubernetesContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new KubeRig(SharedServer.get());
    }
}
