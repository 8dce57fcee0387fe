package dev.incumbent.coordinator.redis;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import redis.clients.jedis.Jedis;

/** A store in real servers, under a prefix of its own; each client reaches each server over a wire of its own. */
class RedisRig implements WiredRig {
    final List<RedisServer> servers;
    private final Duration requestTimeout;
    private final Wires wires = new Wires();
    private final String prefix = "rig-" + UUID.randomUUID();
    private final List<Map<String, Saved>> saved = new ArrayList<>();

    RedisRig(List<RedisServer> servers, Duration requestTimeout) {
        this.servers = servers;
        this.requestTimeout = requestTimeout;
    }

    private record Saved(ByteBuffer value, long leftMillis) {}

    @Override
    public Wires wires() {
        return wires;
    }

    /** Its client has connected: a cut meets what is sent over a connection that there is. */
    @Override
    public Coordinator connect() {
        Coordinator client = wires.connect(
                servers.stream().map(RedisServer::port).toList(),
                own -> new RedisCoordinatorProvider().open(uri(own, prefix), timeline(), requestTimeout, Mode.CREATE));
        while (client.elections("")
                .handle((all, failure) -> failure != null)
                .toCompletableFuture()
                .join()) {
            passTime(Duration.ofMillis(20));
        }
        return client;
    }

    /** Of a client that reaches each server over these. */
    String uri(List<TcpProxy> wires, String prefix) {
        List<String> places =
                wires.stream().map(wire -> "127.0.0.1:" + wire.port()).toList();
        return (places.size() == 1 ? "redis://" : "redlock://") + String.join(",", places) + "?prefix=" + prefix;
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return requestTimeout.multipliedBy(3);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    /** Redlock's are a round of two. */
    @Override
    public boolean swapsByOneMessage() {
        return servers.size() == 1;
    }

    /** Copies what lies under this rig's prefix, with what is left of its time. */
    @Override
    public void backUp() {
        for (RedisServer server : servers) {
            Map<String, Saved> copy = new HashMap<>();
            try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
                for (String key : jedis.keys("{" + prefix + "}*")) {
                    copy.put(key, new Saved(ByteBuffer.wrap(jedis.dump(key)), Math.max(0, jedis.pttl(key))));
                }
            }
            saved.add(copy);
        }
    }

    /** In one step, as a server that starts from its backup. */
    @Override
    public void restore() {
        for (int i = 0; i < servers.size(); i++) {
            try (Jedis jedis = new Jedis("127.0.0.1", servers.get(i).port());
                    var step = jedis.multi()) {
                for (String key : keysOf(servers.get(i))) {
                    step.del(key);
                }
                saved.get(i)
                        .forEach((key, one) ->
                                step.restore(key, one.leftMillis(), one.value().array()));
                step.exec();
            }
        }
    }

    private Set<String> keysOf(RedisServer server) {
        try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
            return jedis.keys("{" + prefix + "}*");
        }
    }

    @Override
    public void plantForeign(String name) {
        Keys keys = new Keys(prefix);
        for (RedisServer server : servers) {
            try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
                jedis.zadd(
                        servers.size() == 1 ? keys.records() : keys.registers(),
                        0,
                        servers.size() == 1 ? name : "e:" + name);
            }
        }
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        Keys keys = new Keys(prefix);
        for (RedisServer server : servers) {
            try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
                if (servers.size() == 1) {
                    jedis.zadd(keys.lists(), 0, name);
                    jedis.zadd(keys.orders() + name, (double) jedis.incr(keys.counter()), "planted");
                    jedis.hset(
                            keys.nothing().replaceFirst("nothing$", "candidates:" + name),
                            "planted",
                            lease + " " + text);
                } else {
                    String register = keys.register("c:" + name);
                    String before = jedis.hget(register, "body");
                    jedis.zadd(keys.registers(), 0, "c:" + name);
                    jedis.hset(register, "body", before == null ? text : before + "\n" + text);
                }
            }
        }
    }

    /** As a later version would write: its own format, and the version as we know it. */
    @Override
    public void plantUnreadable(ElectionName election) {
        String nonce = UUID.randomUUID().toString();
        Keys keys = new Keys(prefix);
        for (RedisServer server : servers) {
            try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
                if (servers.size() == 1) {
                    jedis.hset(keys.record(election), Map.of("record", "{\"v\":2}", "nonce", nonce));
                    jedis.set(keys.version(), nonce);
                } else {
                    jedis.hset(keys.register("e:" + election), Map.of("body", "{\"v\":2}", "nonce", nonce));
                }
            }
        }
    }

    @Override
    public void close() {
        wires.close();
    }
}
