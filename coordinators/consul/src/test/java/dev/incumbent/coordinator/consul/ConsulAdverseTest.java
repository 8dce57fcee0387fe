package dev.incumbent.coordinator.consul;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import java.time.Duration;

/** Candidacies over Consul, while it or the way to it is in trouble. */
final class ConsulAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return ConsulRig.onASmallDisk(Duration.ofSeconds(4), Duration.ofSeconds(1));
    }
}
