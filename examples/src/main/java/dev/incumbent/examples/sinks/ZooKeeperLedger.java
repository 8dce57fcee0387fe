package dev.incumbent.examples.sinks;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.zookeeper.FencedWrite;
import dev.incumbent.fence.zookeeper.ZooKeeperFence;
import dev.incumbent.model.ElectionName;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/** Writes nodes of ZooKeeper behind the fence, over the application's own client. */
public final class ZooKeeperLedger {
    private ZooKeeperLedger() {}

    /** Replaces a node's data, for as long as this process leads. */
    public static void replace(
            ElectionName election, Leadership leadership, ZooKeeper zooKeeper, byte[] balance, int version)
            throws FenceException, KeeperException, InterruptedException {
        FencedWrite write = ZooKeeperFence.over(zooKeeper, "/incumbent").begin();
        write.admit(election, leadership.token());
        write.add(Op.setData("/ledger/balance", balance, version)).add(Op.delete("/ledger/open", -1));
        write.commit(); // StaleTokenException: stop at once
    }
}
