package dev.incumbent.fence.consul;

import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Txn;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.servers.ConsulServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A sink of its own prefix, whose writers set keys beside it. */
final class ConsulRig implements FenceRig {
    private final ConsulServer server;
    private final boolean isItsOwn;
    private final String prefix = "fences/" + UUID.randomUUID();
    private final Queue<KeyWriter> writers = new ConcurrentLinkedQueue<>();
    private final ConsulFence fence;

    private static final class Shared {
        static final ConsulServer SERVER = ConsulServer.start(ConsulServer.Access.OPEN);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private ConsulRig(ConsulServer server, boolean isItsOwn) {
        this.server = server;
        this.isItsOwn = isItsOwn;
        install();
        fence = ConsulFence.at(url(), Duration.ofSeconds(5));
    }

    static ConsulRig onTheSharedServer() {
        return new ConsulRig(Shared.SERVER, false);
    }

    static ConsulRig onAServerOfItsOwn() {
        return new ConsulRig(ConsulServer.start(ConsulServer.Access.OPEN), true);
    }

    String url() {
        return "consul://127.0.0.1:" + server.port() + "/" + prefix;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.UNTYPED_TOKENS, Capability.PUT_BACK, Capability.ADMITS_AT_COMMIT, Capability.PLANTED_MARKS);
    }

    @Override
    public Sink open(Duration bound) {
        return new ConsulSinkProvider().open(url(), bound);
    }

    @Override
    public void install() {
        new ConsulSinkProvider().install(url());
    }

    @Override
    public Writer begin() {
        KeyWriter writer = new KeyWriter(fence.begin());
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        FencedWrite over = fence.begin();
        over.rollBack();
        over.admit(election, token);
    }

    @Override
    public List<String> written() {
        try (ConsulKeys keys = ConsulKeys.at(url(), Duration.ofSeconds(5))) {
            return keys.await(keys.read(new Txn().getTree(prefix + "/lines/"), "reading the lines")).stream()
                    .sorted(Comparator.comparingLong(Entry::modifyIndex).thenComparing(Entry::key))
                    .map(Entry::value)
                    .toList();
        }
    }

    @Override
    public void restart() {
        writers.forEach(KeyWriter::rollBack);
        server.process().kill();
        server.process().startAgain();
    }

    @Override
    public Runnable backUp() {
        server.save("yesterday.snap");
        return () -> server.restore("yesterday.snap");
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        server.consul("kv", "put", prefix + "/f/" + election + ":mark", "seven candidate:x");
    }

    @Override
    public void plantForeign(String name) {
        server.consul("kv", "put", prefix + "/f/" + name + ":mark", "7 candidate:x");
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
        writers.forEach(KeyWriter::rollBack);
        fence.close();
        if (isItsOwn) {
            server.close();
        }
    }

    private final class KeyWriter implements Writer {
        private final FencedWrite write;
        private final List<String> lines = new ArrayList<>();

        KeyWriter(FencedWrite write) {
            this.write = write;
        }

        @Override
        public void read() {
            written();
        }

        @Override
        public void admit(ElectionName election, FencingToken token) throws dev.incumbent.fence.NoTransactionException {
            write.admit(election, token);
        }

        /** As who speaks to Consul by hand: the key of the token is asked for, whatever its text. */
        @Override
        public void admitText(ElectionName election, String token) throws FenceException {
            try (ConsulKeys keys = ConsulKeys.at(url(), Duration.ofSeconds(5))) {
                String key = prefix + "/f/" + election + ":token:" + token;
                var outcome = keys.await(keys.apply(new Txn().get(key), "writing by hand"));
                if (outcome instanceof Outcome.Refused refused) {
                    throw new NotAdmittedException(refused.why().toString());
                }
            }
        }

        @Override
        public void write(String line) {
            lines.add(line);
            String key = prefix + "/lines/" + UUID.randomUUID() + "-" + lines.size();
            write.set(key, line.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void commit() throws FenceException {
            write.commit();
        }

        @Override
        public void rollBack() {
            write.rollBack();
        }
    }
}
