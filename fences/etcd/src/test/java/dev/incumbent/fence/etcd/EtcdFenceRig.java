package dev.incumbent.fence.etcd;

import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.KeyValue;
import dev.incumbent.etcd.Txn;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A sink of its own in an etcd that others use, too: a prefix, and a wire to it. */
final class EtcdFenceRig implements FenceRig {
    private static final Duration BOUND = Duration.ofSeconds(5);

    private final EtcdServer server;
    private final String prefix = "sink-" + UUID.randomUUID();
    private final TcpProxy wire;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final Queue<EtcdWriter> writers = new ConcurrentLinkedQueue<>();
    private final EtcdFence fence;

    EtcdFenceRig(EtcdServer server) {
        this.server = server;
        this.wire = TcpProxy.to(server.port());
        this.fence = EtcdFence.at(url(), BOUND);
        install();
    }

    String url() {
        return "etcd://127.0.0.1:" + wire.port() + "/" + prefix;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.PUT_BACK, Capability.ADMITS_AT_COMMIT, Capability.PLANTED_MARKS, Capability.ONE_ADMISSION);
    }

    @Override
    public Sink open(Duration bound) {
        return new EtcdSinkProvider().open(url(), bound);
    }

    @Override
    public void install() {
        new EtcdSinkProvider().install(url());
    }

    @Override
    public Writer begin() {
        EtcdWriter writer = new EtcdWriter(fence.begin(), lines());
        writers.add(writer);
        return writer;
    }

    private String lines() {
        return "/ledger/" + prefix + "/";
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        EtcdTransaction ended = fence.begin();
        ended.admit(election, token);
        ended.commit();
        ended.admit(election, token);
    }

    @Override
    public List<String> written() {
        try (EtcdClient reader = new EtcdClient(EtcdAddress.parse(url(), Map.of()), BOUND)) {
            return reader.txn(new Txn().getAll(lines())).join().found(0).stream()
                    .map(KeyValue::value)
                    .toList();
        }
    }

    @Override
    public void restart() {
        writers.forEach(EtcdWriter::rollBack);
        wire.reset();
    }

    @Override
    public Runnable backUp() {
        TemporaryFolder folder = TemporaryFolder.create("etcd-snapshot");
        owned.add(folder);
        Path file = folder.resolve("snapshot.db");
        server.etcdctl("snapshot", "save", file.toString());
        return () -> {
            List<Integer> ports = FreePorts.some(2);
            EtcdServer restored = EtcdServer.restored(file, ports.get(0), ports.get(1));
            owned.add(restored);
            wire.leadTo(restored.port());
            fence.begin();
            install();
        };
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        server.etcdctl("put", "/" + prefix + "/f/" + election, "seven");
    }

    @Override
    public void plantForeign(String name) {
        server.etcdctl("put", "/" + prefix + "/f/" + name, "0000000000000000007");
        server.etcdctl("put", "/" + prefix + "/o/" + name, "candidate:x");
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
        fence.close();
        wire.close();
        for (AutoCloseable one : owned) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
