package dev.incumbent.coordinator.consul;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.TcpProxy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Clients of one server, each on a wire of its own; time is real. The server's shortest session is 4 s, so that tests need not wait for 20. */
final class ConsulRig implements WiredRig {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(4);
    private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(1_500);
    private static final int MEGABYTES = 16;
    private static final String FILLER = "x".repeat(100_000);

    private final Wires wires = new Wires();
    private final ConsulServer server;
    private final boolean isItsOwn;
    private final Optional<SmallDisk> disk;
    private final Duration lease;
    private final Duration requestTimeout;
    private final String prefix = "tck/" + UUID.randomUUID();

    /** How a rig comes by its server. */
    private static final class Shared {
        static final ConsulServer SERVER = ConsulServer.start(ConsulServer.Access.OPEN, SHORT_LEASE);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private ConsulRig(
            ConsulServer server, boolean isItsOwn, Optional<SmallDisk> disk, Duration lease, Duration requestTimeout) {
        this.server = server;
        this.isItsOwn = isItsOwn;
        this.disk = disk;
        this.lease = lease;
        this.requestTimeout = requestTimeout;
    }

    /** On the server of all tests; it lives as long as they do. */
    static ConsulRig onTheSharedServer() {
        return onTheSharedServer(Pace.PUNCTUAL);
    }

    static ConsulRig onTheSharedServer(Pace pace) {
        Duration requestTimeout = pace.requestTimeout(REQUEST_TIMEOUT);
        Duration lease = Pace.lease(SHORT_LEASE, requestTimeout);
        return new ConsulRig(Shared.SERVER, false, Optional.empty(), lease, requestTimeout);
    }

    static ConsulRig onAServerOfItsOwn() {
        return onAServerOfItsOwn(SHORT_LEASE, REQUEST_TIMEOUT);
    }

    static ConsulRig onAServerOfItsOwn(Duration lease, Duration requestTimeout) {
        ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN, lease);
        return new ConsulRig(server, true, Optional.empty(), lease, requestTimeout);
    }

    /** Whose disk can be filled, where disks can be mounted. */
    static ConsulRig onASmallDisk(Duration lease, Duration requestTimeout) {
        if (!SmallDisk.isPossible()) {
            return onAServerOfItsOwn(lease, requestTimeout);
        }
        SmallDisk disk = SmallDisk.ofMegabytes(MEGABYTES);
        return new ConsulRig(
                ConsulServer.startIn(disk.folder("consul"), lease), true, Optional.of(disk), lease, requestTimeout);
    }

    /** Beneath which this rig's clients keep everything: tests do not wake each other's watches. */
    String prefix() {
        return prefix;
    }

    ConsulServer server() {
        return server;
    }

    @Override
    public Wires wires() {
        return wires;
    }

    @Override
    public Coordinator connect() {
        return wires.connect(server.port(), wire -> endingWithIt(open(wire.port()), wire));
    }

    private Coordinator open(int port) {
        String uri = "consul://127.0.0.1:" + port + "/" + prefix + "?session-ttl-min-ms=" + lease.toMillis();
        return new ConsulCoordinatorProvider().open(uri, timeline(), requestTimeout, Mode.CREATE);
    }

    /** Whose close ends its wire too, and the wire's threads. */
    private static Coordinator endingWithIt(Coordinator client, TcpProxy wire) {
        InvocationHandler both = (self, method, arguments) -> {
            if (method.getName().equals("close")) {
                client.close();
                wire.close();
                return null;
            }
            try {
                return method.invoke(client, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Coordinator)
                Proxy.newProxyInstance(Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, both);
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return isItsOwn
                ? EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE)
                : EnumSet.of(Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    @Override
    public void backUp() {
        server.save("yesterday.snap");
    }

    @Override
    public void restore() {
        server.restore("yesterday.snap");
    }

    @Override
    public void plantForeign(String name) {
        server.consul("kv", "put", prefix + "/e/" + name + ":record", "foreign");
    }

    /** As a person would, with Consul's own client; the record alone. */
    @Override
    public void plantUnreadable(ElectionName election) {
        server.consul(
                "kv", "put", prefix + "/e/" + election + ":record", "{\"v\":2,\"x\":\"" + UUID.randomUUID() + "\"}");
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        server.consul("kv", "put", "-acquire", "-session=" + lease, prefix + "/c/" + name + ":planted", text);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return disk.isPresent() ? EnumSet.allOf(ServerFault.class) : EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.process().freeze();
            case KILLED -> server.process().kill();
            case FULL -> fill();
        }
    }

    /** Until it takes nothing more. */
    private void fill() {
        disk.orElseThrow().fill();
        try {
            for (int i = 0; i < 1_000; i++) {
                server.consul("kv", "put", "filler/" + i, FILLER);
            }
        } catch (IllegalStateException full) {
            return;
        }
        throw new IllegalStateException("Consul took all: its disk is too large");
    }

    /** A server that could not write may have ended itself. */
    @Override
    public void recover(ServerFault fault) {
        disk.ifPresent(SmallDisk::makeRoom);
        if (fault == ServerFault.FROZEN) {
            server.process().thaw();
        } else if (!server.process().isRunning()) {
            server.process().startAgain();
        }
    }

    @Override
    public void close() {
        wires.close();
        if (isItsOwn) {
            server.close();
        }
        disk.ifPresent(SmallDisk::close);
    }
}
