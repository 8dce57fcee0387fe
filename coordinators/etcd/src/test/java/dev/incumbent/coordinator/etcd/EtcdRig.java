package dev.incumbent.coordinator.etcd;

import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Clients of a real etcd, each on a wire of its own. */
final class EtcdRig implements AdverseRig {
    static final String PREFIX = "tests";

    private final EtcdServer server;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final SystemTimeline timeline = new SystemTimeline();
    private final IdentityHashMap<Coordinator, TcpProxy> wires = new IdentityHashMap<>();
    private Optional<Path> saved = Optional.empty();
    private final Duration requestTimeout;
    private int port;

    private EtcdRig(EtcdServer server, Duration requestTimeout) {
        this.server = server;
        this.requestTimeout = requestTimeout;
        this.port = server.port();
        timeline.at(timeline.nanos(), () -> {}); // its thread is there before any test counts threads
    }

    /** On a server that others use, too, and that must come to no harm. */
    static EtcdRig over(EtcdServer shared) {
        return new EtcdRig(shared, Duration.ofMillis(1_250));
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
    public Coordinator connect() {
        TcpProxy wire = TcpProxy.to(port);
        Coordinator client = new EtcdCoordinatorProvider()
                .open("etcd://127.0.0.1:" + wire.port() + "/" + PREFIX, timeline, requestTimeout(), Mode.CREATE);
        wires.put(client, wire);
        return client;
    }

    private TcpProxy wire(Coordinator client) {
        return Optional.ofNullable(wires.get(client)).orElseThrow();
    }

    @Override
    public Timeline timeline() {
        return timeline;
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
        return Duration.ofSeconds(4);
    }

    @Override
    public void passTime(Duration length) {
        long end = timeline.nanos() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - timeline.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE);
    }

    @Override
    public Set<Cut> cuts() {
        return EnumSet.allOf(Cut.class);
    }

    @Override
    public void cut(Coordinator client, Cut how) {
        wire(client).cut(TcpProxy.Fault.valueOf(how.name()));
    }

    @Override
    public void heal(Coordinator client) {
        wire(client).heal();
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
        wires.values().forEach(wire -> wire.leadTo(port));
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        server.etcdctl("put", "/" + PREFIX + "/e/" + election, "{\"v\":1,\"term\":\"none\"}");
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
    public void reset(Coordinator client) {
        wire(client).reset();
    }

    @Override
    public void loseNextAnswer(Coordinator client) {
        wire(client).loseNextAnswer();
    }

    @Override
    public void slow(Coordinator client, Duration by) {
        wire(client).slow(by);
    }

    @Override
    public void close() {
        wires.keySet().forEach(Coordinator::close);
        wires.values().forEach(TcpProxy::close);
        timeline.close();
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
