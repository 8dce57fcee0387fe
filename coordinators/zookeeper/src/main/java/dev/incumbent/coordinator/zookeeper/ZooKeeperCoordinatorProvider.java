package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;

/** Opens ZooKeeper ensembles as coordinators: {@code zk://host:port,host:port/path}, or {@code zookeeper://…}. */
public final class ZooKeeperCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("zk", "zookeeper");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        return ZooKeeperCoordinator.open(Address.parse(at, System.getenv()), timeline, requestTimeout, mode);
    }
}
