package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A server that one test may freeze and kill. */
final class ZooKeeperAdverseRig extends ZooKeeperRig implements AdverseRig {
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
    public void reset(Coordinator client) {
        proxy(client).reset();
    }

    @Override
    public void loseNextAnswer(Coordinator client) {
        proxy(client).loseNextAnswer();
    }

    @Override
    public void slow(Coordinator client, Duration by) {
        proxy(client).slow(by);
    }

    @Override
    public void close() {
        super.close();
        server.close();
    }
}
