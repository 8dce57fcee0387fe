package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;

/** Opens coordinators in etcd: {@code etcd://HOST:PORT[,HOST:PORT]/PREFIX}. Nothing is created beforehand, and nobody is asked before the first call. */
public final class EtcdCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public EtcdCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("etcd");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        try {
            return new EtcdCoordinator(EtcdAddress.parse(at, System.getenv()), timeline, requestTimeout, mode);
        } catch (EtcdException refused) {
            throw new CoordinatorUnusableException(String.valueOf(refused.getMessage()), refused);
        }
    }
}
