package dev.incumbent.fence.etcd;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.UUID;

/** One transaction that writes lines, each under a key of its own. */
final class EtcdWriter implements Writer {
    private final EtcdTransaction transaction;
    private final String lines;
    private volatile boolean rolledBack;

    EtcdWriter(EtcdTransaction transaction, String lines) {
        this.transaction = transaction;
        this.lines = lines;
    }

    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        transaction.admit(election, token);
    }

    @Override
    public void read() {
        throw new UnsupportedOperationException("a transaction of etcd has no snapshot");
    }

    @Override
    public void admitText(ElectionName election, String token) {
        throw new UnsupportedOperationException("tokens are typed here");
    }

    @Override
    public void write(String line) {
        transaction.put(lines + UUID.randomUUID(), line);
    }

    @Override
    public void commit() throws FenceException {
        if (rolledBack) {
            throw new IllegalStateException("it was rolled back");
        }
        transaction.commit();
    }

    @Override
    public void rollBack() {
        rolledBack = true;
    }
}
