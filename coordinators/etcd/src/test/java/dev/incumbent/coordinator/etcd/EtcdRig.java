package dev.incumbent.coordinator.etcd;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Clients of a real etcd, each on a wire of its own. */
final class EtcdRig implements WiredRig {
    static final String PREFIX = "tests";

    private final EtcdServer server;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final Wires wires = new Wires();
    private Optional<Path> saved = Optional.empty();
    private final Duration requestTimeout;
    private int port;

    private EtcdRig(EtcdServer server, Duration requestTimeout) {
        this.server = server;
        this.requestTimeout = requestTimeout;
        this.port = server.port();
    }

    /** On a server that others use, too, and that must come to no harm. */
    static EtcdRig over(EtcdServer shared, Pace pace) {
        return new EtcdRig(shared, pace.requestTimeout(Duration.ofMillis(1_250)));
    }

    /** With a server of its own. */
    static EtcdRig alone(String... options) {
        EtcdServer server = EtcdServer.start(options);
        EtcdRig rig = new EtcdRig(server, Duration.ofMillis(750));
        rig.owned.add(server);
        return rig;
    }

    EtcdServer server() {
        return server;
    }

    @Override
    public Wires wires() {
        return wires;
    }

    @Override
    public Coordinator connect() {
        return wires.connect(
                port,
                wire -> new EtcdCoordinatorProvider()
                        .open(
                                "etcd://127.0.0.1:" + wire.port() + "/" + PREFIX,
                                timeline(),
                                requestTimeout(),
                                Mode.CREATE));
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return requestTimeout.multipliedBy(4);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(4), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    @Override
    public void backUp() {
        TemporaryFolder folder = TemporaryFolder.create("etcd-snapshot");
        owned.add(folder);
        Path file = folder.resolve("snapshot.db");
        server.etcdctl("snapshot", "save", file.toString());
        saved = Optional.of(file);
    }

    /** A server on the snapshot takes the place of the one that there was: every wire leads to it. */
    @Override
    public void restore() {
        List<Integer> ports = FreePorts.some(2);
        EtcdServer restored = EtcdServer.restored(saved.orElseThrow(), ports.get(0), ports.get(1));
        owned.add(restored);
        port = restored.port();
        wires.leadTo(port);
    }

    @Override
    public void plantForeign(String name) {
        server.etcdctl("put", "/" + PREFIX + "/e/" + name, "foreign");
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        server.etcdctl("put", "/" + PREFIX + "/e/" + election, "{\"v\":1,\"term\":\"none\"}");
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        server.etcdctl("put", "--lease=" + lease, "/" + PREFIX + "/c/" + name + ":planted", text);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.allOf(ServerFault.class);
    }

    @Override
    public void befall(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.freeze();
            case KILLED -> server.kill();
            case FULL -> FullDisk.fill(server);
        }
    }

    @Override
    public void recover(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.thaw();
            case KILLED -> server.startAgain();
            case FULL -> FullDisk.empty(server);
        }
        server.etcdctl("endpoint", "health");
    }

    @Override
    public void close() {
        wires.close();
        owned.forEach(EtcdRig::close);
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
