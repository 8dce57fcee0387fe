package dev.incumbent.fence.tck;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.model.ElectionName;

/** One transaction of a process that writes behind the fence. Used by one thread at a time. */
public interface Writer extends Fence {
    /** Reads something, so that a sink with snapshots takes this transaction's. */
    void read() throws Exception;

    /** Admits with a token as it was sent by a client that does not check it. Only where {@link Capability#UNTYPED_TOKENS} is declared. */
    void admitText(ElectionName election, String token) throws FenceException;

    /** Writes one line. */
    void write(String line) throws Exception;

    void commit() throws Exception;

    /** Ends it with nothing written. Never fails, may be called twice and after a commit. */
    void rollBack();
}
