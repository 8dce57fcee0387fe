package dev.incumbent.benchmarks.fenced;

import dev.incumbent.fence.redis.RedisFence;
import dev.incumbent.fence.redis.RedisSinkProvider;
import dev.incumbent.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;

/** Each writer sets a key of its own over a connection of its own: by Jedis, and by our fence's script, which is one round trip, too. */
final class RedisWrites {
    private RedisWrites() {}

    static void contendOver(Rounds rounds) throws Exception {
        contend(rounds, "Redis, every write on the disk", "always");
        contend(rounds, "Redis, bound by the processor", "everysec");
    }

    /** Its log is not rewritten meanwhile, which would hit the one side or the other. */
    private static void contend(Rounds rounds, String what, String sync) throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        try (RedisServer server = RedisServer.start("--appendfsync", sync, "--auto-aof-rewrite-percentage", "0")) {
            Raised.at(new RedisSinkProvider(), server.uri());
            List<Writer> unfenced = new ArrayList<>();
            List<Writer> fenced = new ArrayList<>();
            for (int i = 0; i < Rounds.WRITERS; i++) {
                String key = "ledger:" + i;
                Jedis jedis = new Jedis("127.0.0.1", server.port());
                open.add(jedis);
                unfenced.add(() -> jedis.set(key, Raised.LINE));
                RedisFence fence = RedisFence.open(server.uri(), Raised.BOUND);
                open.add(fence);
                fenced.add(() -> fence.write(Raised.ELECTION, Raised.TOKEN, "SET", key, Raised.LINE));
            }
            rounds.hold(new Contest(what, 0, unfenced, fenced));
        } finally {
            for (AutoCloseable one : open) {
                one.close();
            }
        }
    }
}
