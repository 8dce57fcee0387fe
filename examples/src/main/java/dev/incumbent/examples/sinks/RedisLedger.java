package dev.incumbent.examples.sinks;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.redis.RedisFence;
import dev.incumbent.model.ElectionName;
import java.time.Duration;

/** Runs commands of Redis behind the fence. */
public final class RedisLedger {
    private RedisLedger() {}

    /** One command in one round trip, then several in one step, for as long as this process leads. */
    public static void append(ElectionName election, Leadership leadership, String line) throws FenceException {
        try (RedisFence fence = RedisFence.open("redis://redis.example:6379/0", Duration.ofSeconds(2))) {
            fence.write(election, leadership.token(), "SET", "balance", "7"); // one round trip

            RedisFence.Transaction transaction = fence.begin(); // several commands, one step
            transaction.admit(election, leadership.token());
            transaction.add("RPUSH", "ledger", line);
            transaction.add("INCR", "lines");
            transaction.commit(); // StaleTokenException: stop at once
        }
    }
}
