package dev.incumbent.fence.redis;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.servers.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A sink under a prefix of its own in a real server; its writers append to one list. */
final class RedisFenceRig implements FenceRig {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final RedisServer server;
    private final String prefix = "sink-" + UUID.randomUUID();
    private final Queue<OneWriter> writers = new ConcurrentLinkedQueue<>();

    RedisFenceRig(RedisServer server) {
        this.server = server;
        install();
    }

    String url() {
        return server.uri() + "/0?prefix=" + prefix;
    }

    private String ledger() {
        return "{" + prefix + "}:ledger";
    }

    Jedis jedis() {
        return new Jedis("127.0.0.1", server.port());
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.UNTYPED_TOKENS, Capability.PUT_BACK, Capability.ADMITS_AT_COMMIT, Capability.PLANTED_MARKS);
    }

    @Override
    public Sink open(Duration bound) {
        return new RedisSinkProvider().open(url(), bound);
    }

    @Override
    public void install() {
        new RedisSinkProvider().install(url());
    }

    @Override
    public Writer begin() {
        OneWriter writer = new OneWriter();
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        try (RedisFence fence = RedisFence.open(url(), BOUND)) {
            RedisFence.Transaction ended = fence.begin();
            ended.rollBack();
            ended.admit(election, token);
        }
    }

    @Override
    public List<String> written() {
        try (Jedis jedis = jedis()) {
            return jedis.lrange(ledger(), 0, -1);
        }
    }

    @Override
    public void restart() {
        writers.forEach(OneWriter::cutOff);
    }

    @Override
    public Runnable backUp() {
        Map<String, byte[]> copy = new HashMap<>();
        try (Jedis jedis = jedis()) {
            jedis.keys("{" + prefix + "}*").forEach(key -> copy.put(key, jedis.dump(key)));
        }
        return () -> putBack(copy);
    }

    private void putBack(Map<String, byte[]> copy) {
        try (Jedis jedis = jedis()) {
            Set<String> now = jedis.keys("{" + prefix + "}*");
            var step = jedis.multi();
            now.forEach(step::del);
            copy.forEach((key, value) -> step.restore(key, 0, value));
            step.exec();
        }
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        try (Jedis jedis = jedis()) {
            jedis.hset("{" + prefix + "}:mark:" + election, "token", "seven");
        }
    }

    @Override
    public void plantForeign(String name) {
        try (Jedis jedis = jedis()) {
            jedis.zadd("{" + prefix + "}:marks", 0, name);
            jedis.hset("{" + prefix + "}:mark:" + name, Map.of("token", "7", "owner", "candidate:x"));
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
        writers.forEach(OneWriter::cutOff);
    }

    /** One transaction on a connection of its own. */
    private final class OneWriter implements Writer {
        private final RedisFence fence = RedisFence.open(url(), BOUND);
        private final RedisFence.Transaction transaction = fence.begin();

        @Override
        public void admit(ElectionName election, FencingToken token)
                throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
            transaction.admit(election, token);
        }

        @Override
        public void read() {
            written();
        }

        /** As a client that does not check it: the script itself, over a connection of another library's making. */
        @Override
        public void admitText(ElectionName election, String token) throws FenceException {
            try (Jedis jedis = jedis()) {
                jedis.eval(RedisScript.ADMIT.text(), List.of("{" + prefix + "}:mark:" + election), List.of(token));
            } catch (JedisDataException refused) {
                throw new NotAdmittedException(String.valueOf(refused.getMessage()), refused);
            }
        }

        @Override
        public void write(String line) {
            transaction.add("RPUSH", ledger(), line);
        }

        @Override
        public void commit() throws FenceException {
            transaction.commit();
            fence.close();
        }

        @Override
        public void rollBack() {
            cutOff();
        }

        private void cutOff() {
            transaction.rollBack();
            fence.close();
        }
    }
}
