package dev.incumbent.examples.sinks;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.etcd.EtcdFence;
import dev.incumbent.fence.etcd.EtcdTransaction;
import dev.incumbent.model.ElectionName;
import java.time.Duration;

/** Writes keys of etcd behind the fence. */
public final class EtcdLedger {
    private EtcdLedger() {}

    /** Writes that an invoice is paid, for as long as this process leads. */
    public static void pay(ElectionName election, Leadership leadership) throws FenceException {
        try (EtcdFence fence = EtcdFence.at("etcd://h1:2379/app", Duration.ofSeconds(2))) {
            EtcdTransaction transaction = fence.begin();
            transaction.admit(election, leadership.token());
            transaction.put("/ledger/4711", "paid");
            transaction.commit(); // StaleTokenException: stop at once
        }
    }
}
