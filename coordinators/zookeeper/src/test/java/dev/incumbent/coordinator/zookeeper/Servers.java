package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.Optional;

/** One server for all tests of this JVM that leave it as it is; it dies with the JVM. */
final class Servers {
    /** A quarter of the default, so that leases are a quarter as long; all ratios are the default's. */
    static final Duration TICK = Duration.ofMillis(500);

    /** What a server grants at most: twenty ticks, unless it is configured otherwise. */
    static final Duration LONGEST_SESSION = TICK.multipliedBy(20);

    private static Optional<ZooKeeperServer> shared = Optional.empty();

    private Servers() {}

    static synchronized ZooKeeperServer shared() {
        if (shared.isEmpty()) {
            shared = Optional.of(ZooKeeperServer.start(TICK));
        }
        return shared.get();
    }
}
