package dev.incumbent.fence.consul;

import dev.incumbent.fence.SinkException;
import java.time.Duration;

/**
 * The fence in front of keys of Consul, for those who write them.
 *
 * <p>Each write is begun, admitted and committed: Consul applies the admission and the keys in one transaction, or none of it. Thread-safe; a commit blocks its
 * caller, for at most the bound.
 */
public final class ConsulFence implements AutoCloseable {
    private final ConsulKeys keys;
    private final Marks marks;

    private ConsulFence(ConsulKeys keys) {
        this.keys = keys;
        this.marks = new Marks(keys);
    }

    /**
     * Opens the fence at a URL, {@code consul://host:port/prefix}.
     *
     * @throws SinkException the URL is malformed
     */
    public static ConsulFence at(String url, Duration bound) {
        return new ConsulFence(ConsulKeys.at(url, bound));
    }

    /** Begins a write; nothing is asked of Consul before its commit. */
    public FencedWrite begin() {
        return new FencedWrite(keys, marks);
    }

    /** Ends its connections. */
    @Override
    public void close() {
        keys.close();
    }
}
