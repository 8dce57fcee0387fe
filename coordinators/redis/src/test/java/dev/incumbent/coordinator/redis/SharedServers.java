package dev.incumbent.coordinator.redis;

import dev.incumbent.servers.RedisSentinel;
import dev.incumbent.servers.RedisServer;
import java.time.Duration;
import java.util.List;

/** The servers that the tests of this process share; they die with it. */
final class SharedServers {
    private SharedServers() {}

    static List<RedisServer> one() {
        return One.SERVERS;
    }

    static List<RedisServer> three() {
        return Three.SERVERS;
    }

    /** Watches one server; whoever shares it tells it of others. */
    static RedisSentinel sentinel() {
        return OneSentinel.SENTINEL;
    }

    private static final class OneSentinel {
        private static final RedisSentinel SENTINEL =
                RedisSentinel.start(one().get(0).port(), Duration.ofHours(1));
    }

    private static final class One {
        private static final List<RedisServer> SERVERS = List.of(RedisServer.start());
    }

    private static final class Three {
        private static final List<RedisServer> SERVERS = RedisServer.startMasters(3);
    }
}
