package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A server that one test may freeze and kill. */
final class ZooKeeperAdverseRig extends ZooKeeperRig {
    private final ZooKeeperServer server;

    ZooKeeperAdverseRig(ZooKeeperServer server) {
        super(server, Duration.ofSeconds(1));
        this.server = server;
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            server.process().freeze();
        } else {
            server.process().kill();
        }
    }

    @Override
    public void recover(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            server.process().thaw();
        } else {
            server.process().startAgain();
        }
    }

    @Override
    public void close() {
        super.close();
        server.close();
    }
}
