package dev.incumbent.fence.zookeeper;

import org.apache.zookeeper.ZooKeeper;

/**
 * The fence in front of nodes of ZooKeeper, for those who write them over a client of their own.
 *
 * <p>Each write is begun, admitted and committed: ZooKeeper applies the admission and the operations in one transaction, or none of it. Thread-safe; keeps no state.
 */
public final class ZooKeeperFence {
    private final ZooKeeper client;
    private final Marks marks;

    private ZooKeeperFence(ZooKeeper client, Marks marks) {
        this.client = client;
        this.marks = marks;
    }

    /** The fence whose marks lie beneath a node, {@code /incumbent} where the sink's URL names none. */
    public static ZooKeeperFence over(ZooKeeper client, String root) {
        return new ZooKeeperFence(client, new Marks(root));
    }

    /** Begins a write; nothing is asked of ZooKeeper before its commit. */
    public FencedWrite begin() {
        return new FencedWrite(client, marks);
    }
}
