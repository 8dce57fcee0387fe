package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.UriException;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.time.Duration;
import java.util.Set;

/** Opens ZooKeeper ensembles as coordinators: {@code zk://host:port,host:port/path}, or {@code zookeeper://…}. */
public final class ZooKeeperCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return ZooKeeperUri.SCHEMES;
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        return ZooKeeperCoordinator.open(parsed(at), timeline, requestTimeout, mode);
    }

    private static ZooKeeperUri parsed(String at) {
        try {
            return ZooKeeperUri.parse(at, System.getenv());
        } catch (UriException e) {
            throw new CoordinatorUnusableException("the coordinator " + e.getMessage() + "; " + ZooKeeperUri.FORM, e);
        }
    }
}
