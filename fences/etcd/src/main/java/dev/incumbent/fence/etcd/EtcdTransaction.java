package dev.incumbent.fence.etcd;

import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.EtcdException;
import dev.incumbent.etcd.Txn;
import dev.incumbent.etcd.TxnReply;
import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * Writes to etcd that are done together, and only if every token admitted here is in force at that instant. Used by one thread; nothing is sent before
 * {@link #commit()}, which blocks.
 */
public final class EtcdTransaction implements Fence {
    private final EtcdClient client;
    private final MarkKeys keys;
    private final Map<ElectionName, FencingToken> admitted = new LinkedHashMap<>();
    private final Txn txn = new Txn();
    private boolean ended;

    EtcdTransaction(EtcdClient client) {
        this.client = client;
        this.keys = new MarkKeys(client.address().prefix());
    }

    /** Binds the transaction to a token. Whether it is in force is judged by the commit, in one step with the writes. */
    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        if (ended) {
            throw new NoTransactionException("the transaction of token " + token + " of " + election + " has ended");
        }
        if (admitted.put(election, token) == null) {
            txn.ifValue(keys.token(election), MarkKeys.digits(token));
        } else {
            throw new NoTransactionException(election + " was admitted to this transaction before");
        }
    }

    public EtcdTransaction put(String key, String value) {
        txn.put(key, value);
        return this;
    }

    public EtcdTransaction delete(String key) {
        txn.delete(key);
        return this;
    }

    /**
     * Writes, if all tokens are in force.
     *
     * @throws dev.incumbent.fence.StaleTokenException a mark is above its token: its term is over, stop at once
     * @throws dev.incumbent.fence.NotRaisedException a mark is below its token, or absent
     * @throws NoTransactionException nothing was admitted, or it has ended before
     * @throws NotAdmittedException surely nothing was written
     * @throws SinkException etcd did not answer, and may have written
     */
    public void commit() throws FenceException {
        if (ended || admitted.isEmpty()) {
            throw new NoTransactionException(
                    ended ? "the transaction has ended" : "no token was admitted to the transaction");
        }
        ended = true;
        txn.otherwise();
        admitted.keySet().forEach(election -> txn.get(keys.token(election)).get(keys.owner(election)));
        TxnReply reply = reply();
        if (!reply.succeeded()) {
            refuse(reply);
        }
    }

    private TxnReply reply() throws NotAdmittedException {
        try {
            return client.txn(txn).join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof EtcdException told && told.kind() != EtcdException.Kind.UNCERTAIN) {
                throw new NotAdmittedException(String.valueOf(told.getMessage()), told);
            }
            throw EtcdSink.told(failure);
        }
    }

    private void refuse(TxnReply reply) throws FenceException {
        int operation = 0;
        for (Map.Entry<ElectionName, FencingToken> one : admitted.entrySet()) {
            MarkRule rule = MarkKeys.mark(reply.found(operation), reply.found(operation + 1))
                    .map(MarkRule::at)
                    .orElse(MarkRule.unmarked());
            rule.admit(one.getKey(), one.getValue());
            operation += 2;
        }
        throw new NotAdmittedException("etcd refused the transaction although its tokens are in force; try again");
    }
}
