package dev.incumbent.examples.sinks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.consul.ConsulFence;
import dev.incumbent.fence.consul.FencedWrite;
import dev.incumbent.model.ElectionName;
import java.time.Duration;

/** Writes keys of Consul behind the fence. */
public final class ConsulLedger {
    private ConsulLedger() {}

    /** Writes that an invoice is paid, for as long as this process leads. */
    public static void pay(ElectionName election, Leadership leadership) throws FenceException {
        try (ConsulFence fence = ConsulFence.at("consul://127.0.0.1:8500/incumbent", Duration.ofSeconds(2))) {
            FencedWrite write = fence.begin();
            write.admit(election, leadership.token());
            write.set("ledger/4711", "paid".getBytes(UTF_8)).delete("open/4711");
            write.commit(); // StaleTokenException: stop at once
        }
    }
}
