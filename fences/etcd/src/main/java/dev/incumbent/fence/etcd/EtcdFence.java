package dev.incumbent.fence.etcd;

import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.time.Duration;

/**
 * The fence in front of an etcd's keys.
 *
 * <p>Writes go through {@link #begin()}. Who has transactions of his own, by jetcd or any other client, adds one compare to each: the value of
 * {@link #markKey} equals {@link #markValue}. Thread-safe.
 */
public final class EtcdFence implements AutoCloseable {
    private final EtcdClient client;

    private EtcdFence(EtcdClient client) {
        this.client = client;
    }

    /** The fence of the sink at this URL; every commit ends within {@code bound}. Connects with the first commit. */
    public static EtcdFence at(String url, Duration bound) {
        return new EtcdFence(EtcdSinkProvider.client(url, bound));
    }

    /** A transaction, on which nobody waits and which holds nothing until it is committed. */
    public EtcdTransaction begin() {
        return new EtcdTransaction(client);
    }

    /** The key whose value is an election's token in force, for a sink of that prefix, such as {@code incumbent}. */
    public static String markKey(String prefix, ElectionName election) {
        return new MarkKeys("/" + prefix + "/").token(election);
    }

    /** A token as the key of its mark holds it. */
    public static String markValue(FencingToken token) {
        return MarkKeys.digits(token);
    }

    /** Ends its connection; commits under way may have applied. Never fails, may be called twice. */
    @Override
    public void close() {
        client.close();
    }
}
