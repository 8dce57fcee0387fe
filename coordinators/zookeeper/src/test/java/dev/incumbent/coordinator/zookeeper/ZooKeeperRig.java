package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;

/** A part of a server of its own, and its clients, each behind a wire of its own; time is real. */
class ZooKeeperRig implements WiredRig {
    private final Wires wires = new Wires();
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
    public Wires wires() {
        return wires;
    }

    @Override
    public Coordinator connect() {
        Coordinator client = wires.connect(restored.orElse(server).port(), wire -> open("127.0.0.1:" + wire.port()));
        awaitConnection(client);
        return client;
    }

    private Coordinator open(String hostPort) {
        String at = "zk://" + hostPort + root;
        return new ZooKeeperCoordinatorProvider().open(at, timeline(), requestTimeout, Mode.CREATE);
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
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        Duration lease = Pace.lease(Duration.ofMillis(4_500), requestTimeout);
        return lease.compareTo(Servers.LONGEST_SESSION) > 0 ? Servers.LONGEST_SESSION : lease;
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    final Nodes nodes() {
        return new Nodes(root);
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
        wires.leadTo(yesterday.port());
        wires.all().forEach(TcpProxy::reset);
    }

    @Override
    public void plantForeign(String name) {
        String path = nodes().record(new ElectionName("foreign")).replace("foreign", name.replace('/', ':'));
        Plain.at(
                server.hostPort(),
                plain -> plain.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        byte[] later = "{\"v\":2}".getBytes(StandardCharsets.UTF_8);
        Plain.at(server.hostPort(), plain -> plain.setData(nodes().record(election), later, -1));
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        String parent = nodes().candidates() + "/" + name.replace('/', ':');
        Plain.at(server.hostPort(), plain -> {
            if (plain.exists(parent, false) == null) {
                plain.create(parent, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            return plain.create(
                    parent + "/planted",
                    text.getBytes(StandardCharsets.UTF_8),
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT);
        });
    }

    @Override
    public void close() {
        wires.close();
        restored.ifPresent(ZooKeeperServer::close);
        backup.ifPresent(TemporaryFolder::close);
    }
}
