package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;

/** A sink of its own path, whose writers create nodes beside it over a client of theirs. */
final class ZooKeeperRig implements FenceRig {
    static final List<ACL> OPEN = List.of(new ACL(Perms.ALL, new Id("world", "anyone")));
    private static final Duration TICK = Duration.ofMillis(500);
    private static Optional<ZooKeeperServer> shared = Optional.empty();

    private final ZooKeeperServer server;
    private final boolean isItsOwn;
    private final String root = "/fences-" + UUID.randomUUID();
    private final AtomicInteger lines = new AtomicInteger();
    private final Queue<NodeWriter> writers = new ConcurrentLinkedQueue<>();
    private final Queue<TemporaryFolder> backups = new ConcurrentLinkedQueue<>();
    private ZooKeeper client;

    private ZooKeeperRig(ZooKeeperServer server, boolean isItsOwn) {
        this.server = server;
        this.isItsOwn = isItsOwn;
        install();
        client = connected(server.hostPort());
    }

    static synchronized ZooKeeperRig onTheSharedServer() {
        if (shared.isEmpty()) {
            shared = Optional.of(ZooKeeperServer.start(TICK));
        }
        return new ZooKeeperRig(shared.get(), false);
    }

    static ZooKeeperRig onAServerOfItsOwn() {
        return new ZooKeeperRig(ZooKeeperServer.start(TICK), true);
    }

    static ZooKeeper connected(String hostPort) {
        CountDownLatch connected = new CountDownLatch(1);
        try {
            ZooKeeper opened = new ZooKeeper(hostPort, 10_000, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            });
            if (!connected.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no connection to " + hostPort);
            }
            return opened;
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String url() {
        return "zk://" + server.hostPort() + root;
    }

    int port() {
        return server.port();
    }

    String root() {
        return root;
    }

    ZooKeeper client() {
        return client;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.UNTYPED_TOKENS, Capability.PUT_BACK, Capability.ADMITS_AT_COMMIT, Capability.PLANTED_MARKS);
    }

    @Override
    public Sink open(Duration bound) {
        return new ZooKeeperSinkProvider().open(url(), bound);
    }

    @Override
    public void install() {
        new ZooKeeperSinkProvider().install(url());
    }

    @Override
    public Writer begin() {
        NodeWriter writer = new NodeWriter(ZooKeeperFence.over(client, root).begin());
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        FencedWrite over = ZooKeeperFence.over(client, root).begin();
        over.rollBack();
        over.admit(election, token);
    }

    @Override
    public List<String> written() {
        try {
            Map<String, String> inOrder = new TreeMap<>();
            client.multi(List.of(Op.check(root, -1)));
            for (String name : client.getChildren(root, false)) {
                if (name.startsWith("line-")) {
                    Stat stat = new Stat();
                    String line = new String(client.getData(root + "/" + name, false, stat), StandardCharsets.UTF_8);
                    inOrder.put(String.format("%016x %s", stat.getCzxid(), name), line);
                }
            }
            return List.copyOf(inOrder.values());
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void restart() {
        cutOff();
        server.process().kill();
        server.process().startAgain();
        client = connected(server.hostPort());
    }

    private void cutOff() {
        writers.forEach(NodeWriter::rollBack);
        try {
            client.close();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Runnable backUp() {
        TemporaryFolder folder = TemporaryFolder.create("zookeeper-backup");
        backups.add(folder);
        server.copyDataTo(folder.resolve("data"));
        return () -> {
            cutOff();
            server.putBack(folder.resolve("data"));
            client = connected(server.hostPort());
        };
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        put(root + "/f/" + election.value().replace('/', ':'), "seven candidate:x");
    }

    @Override
    public void plantForeign(String name) {
        put(root + "/f/" + name.replace('/', ':'), "7 candidate:x");
    }

    private void put(String path, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        try {
            if (client.exists(path, false) == null) {
                client.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } else {
                client.setData(path, data, -1);
            }
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(40);
    }

    @Override
    public void close() {
        cutOff();
        if (isItsOwn) {
            server.close();
        }
        backups.forEach(TemporaryFolder::close);
    }

    private final class NodeWriter implements Writer {
        private final FencedWrite write;

        NodeWriter(FencedWrite write) {
            this.write = write;
        }

        @Override
        public void read() {
            written();
        }

        @Override
        public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
            write.admit(election, token);
        }

        /** As who speaks to ZooKeeper by hand: the node of the token is checked, whatever its text. */
        @Override
        public void admitText(ElectionName election, String token) throws FenceException {
            String node = root + "/f/" + election.value().replace('/', ':') + "/t-" + token;
            try {
                client.multi(List.of(Op.check(node, -1)));
            } catch (KeeperException | IllegalArgumentException refused) {
                throw new NotAdmittedException("refused: " + refused, refused);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void write(String line) {
            String path = root + String.format("/line-%08d", lines.incrementAndGet());
            write.add(Op.create(path, line.getBytes(StandardCharsets.UTF_8), OPEN, CreateMode.PERSISTENT));
        }

        @Override
        public void commit() throws Exception {
            write.commit();
        }

        @Override
        public void rollBack() {
            write.rollBack();
        }
    }
}
