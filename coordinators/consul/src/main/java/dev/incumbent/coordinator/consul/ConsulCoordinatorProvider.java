package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulAddress;
import dev.incumbent.consul.ConsulException;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;

/** Opens coordinators in Consul: {@code consul://host:port/prefix}. */
public final class ConsulCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ConsulCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("consul");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        try {
            ConsulAddress address = ConsulAddress.of(at, "coordinator", System.getenv());
            return new ConsulCoordinator(address, timeline, requestTimeout, mode);
        } catch (ConsulException unusable) {
            throw Failures.of(unusable);
        }
    }
}
