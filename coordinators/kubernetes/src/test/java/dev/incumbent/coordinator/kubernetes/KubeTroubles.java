package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.servers.KubeApiServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A server with wires to it that misbehave; one of its own may be stopped and killed. */
final class KubeTroubles implements WiredRig {
    private static final String FILLER = "x".repeat(100_000);

    private final KubeApiServer server;
    private final KubeRig rig;
    private boolean harmed;

    private KubeTroubles(KubeApiServer server) {
        this.server = server;
        this.rig = new KubeRig(server, Duration.ofSeconds(2));
    }

    static KubeTroubles onTheSharedServer() {
        return new KubeTroubles(SharedServer.get());
    }

    static KubeTroubles onAServerOfItsOwn() {
        return new KubeTroubles(OwnServers.borrow());
    }

    @Override
    public Wires wires() {
        return rig.wires();
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.allOf(ServerFault.class);
    }

    @Override
    public void befall(ServerFault fault) {
        harmed = true;
        switch (fault) {
            case FROZEN -> server.freeze();
            case KILLED -> server.kill();
            case FULL -> fill();
        }
    }

    @Override
    public void recover(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.thaw();
            case KILLED -> OwnServers.startAgain(server);
            case FULL -> empty();
        }
        harmed = false;
    }

    /** Beside the API server, until etcd's quota is used up. */
    private void fill() {
        try {
            for (int i = 0; i < 1_000; i++) {
                server.etcd().etcdctl("put", "/filler/" + i, FILLER);
            }
        } catch (IllegalStateException full) {
            assertThat(full).hasMessageContaining("database space exceeded");
            return;
        }
        throw new IllegalStateException("etcd took all: its quota is too large");
    }

    /** As etcd's operators make room. */
    private void empty() {
        server.etcd().etcdctl("del", "--prefix", "/filler/");
        String status = server.etcd().etcdctl("endpoint", "status", "-w", "json");
        server.etcd().etcdctl("compact", status.replaceAll("(?s).*\"revision\":([0-9]+).*", "$1"));
        server.etcd().etcdctl("defrag");
        server.etcd().etcdctl("alarm", "disarm");
    }

    @Override
    public Coordinator connect() {
        return rig.connect();
    }

    /** At most a quarter of the lease. */
    @Override
    public Duration requestTimeout() {
        return rig.requestTimeout();
    }

    @Override
    public Duration lease() {
        return rig.requestTimeout().multipliedBy(4);
    }

    @Override
    public Duration slack() {
        return rig.slack();
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of();
    }

    @Override
    public void close() {
        rig.close();
        if (server == SharedServer.get()) {
            return;
        }
        if (harmed) {
            server.close();
        } else {
            OwnServers.giveBack(server);
        }
    }
}
