package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.ZooKeeperServer;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/** A part of a server of its own, and its clients, each behind a wire of its own; time is real. */
class ZooKeeperRig implements CoordinatorRig {
    private final SystemTimeline timeline = new SystemTimeline();
    private final Map<Coordinator, TcpProxy> clients = new LinkedHashMap<>();
    private final String root = "/tck-" + UUID.randomUUID();
    private final ZooKeeperServer server;
    private final Duration requestTimeout;
    private Optional<TemporaryFolder> backup = Optional.empty();
    private Optional<ZooKeeperServer> restored = Optional.empty();

    ZooKeeperRig(ZooKeeperServer server, Duration requestTimeout) {
        this.server = server;
        this.requestTimeout = requestTimeout;
    }

    @Override
    public Coordinator connect() {
        TcpProxy proxy = TcpProxy.to(restored.orElse(server).port());
        String at = "zk://127.0.0.1:" + proxy.port() + root + "?tick=" + Servers.TICK.toMillis() + "ms";
        Coordinator client = new ZooKeeperCoordinatorProvider().open(at, timeline, requestTimeout, Mode.CREATE);
        clients.put(client, proxy);
        awaitConnection(client);
        return client;
    }

    /** So that whoever is cut off then is cut off from a session that there is. */
    private static void awaitConnection(Coordinator client) {
        for (int attempt = 1; ; attempt++) {
            try {
                client.elections("").toCompletableFuture().join();
                return;
            } catch (CompletionException unanswered) {
                if (attempt == 10) {
                    throw unanswered;
                }
            }
        }
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
        return Duration.ofMillis(4_500);
    }

    @Override
    public Duration slack() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void passTime(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
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
        proxy(client).cut(TcpProxy.Fault.valueOf(how.name()));
    }

    @Override
    public void heal(Coordinator client) {
        proxy(client).heal();
    }

    final Nodes nodes() {
        return new Nodes(root);
    }

    final TcpProxy proxy(Coordinator client) {
        return Optional.ofNullable(clients.get(client)).orElseThrow();
    }

    @Override
    public void backUp() {
        TemporaryFolder folder = TemporaryFolder.create("zookeeper-backup");
        server.copyDataTo(folder.resolve("data"));
        backup = Optional.of(folder);
    }

    /** Another server starts on the copy, and every wire leads to that one from now on. */
    @Override
    public void restore() {
        ZooKeeperServer yesterday = ZooKeeperServer.startOn(backup.orElseThrow().resolve("data"), Servers.TICK);
        restored = Optional.of(yesterday);
        clients.values().forEach(proxy -> {
            proxy.leadTo(yesterday.port());
            proxy.reset();
        });
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        byte[] later = "{\"v\":2}".getBytes(StandardCharsets.UTF_8);
        Plain.at(server.hostPort(), plain -> plain.setData(nodes().record(election), later, -1));
    }

    @Override
    public void close() {
        clients.keySet().forEach(Coordinator::close);
        clients.values().forEach(TcpProxy::close);
        timeline.close();
        restored.ifPresent(ZooKeeperServer::close);
        backup.ifPresent(TemporaryFolder::close);
    }
}
