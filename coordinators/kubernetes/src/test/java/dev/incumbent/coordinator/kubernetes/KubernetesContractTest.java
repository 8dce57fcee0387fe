package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;

class KubernetesContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new KubeRig(SharedServer.get(), pace.requestTimeout(Duration.ofSeconds(4)));
    }
}
