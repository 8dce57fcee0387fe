package dev.incumbent.fence.consul;

import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Txn;
import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One write behind the fence: at most 64 operations, all or none. Used by one thread.
 *
 * <p>It is admitted by the commit, in the step that writes, so {@link #admit} only notes for which term it is written.
 */
public final class FencedWrite implements Fence {
    private final ConsulKeys keys;
    private final Marks marks;
    private final Map<ElectionName, FencingToken> admissions = new LinkedHashMap<>();
    private final Txn operations = new Txn();
    private boolean ended;

    FencedWrite(ConsulKeys keys, Marks marks) {
        this.keys = keys;
        this.marks = marks;
    }

    /** From here on this write is of that term. First of all: its condition is the first of the transaction. */
    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        if (ended) {
            throw new NoTransactionException("this write has ended, so nothing is admitted into it");
        }
        admissions.put(election, token);
        operations.get(marks.token(election, token));
    }

    /** Sets a key when committed. */
    public FencedWrite set(String key, byte[] value) {
        operations.set(key, value);
        return this;
    }

    /** Deletes a key when committed. */
    public FencedWrite delete(String key) {
        operations.delete(key);
        return this;
    }

    /**
     * Writes, if what was admitted is in force.
     *
     * @throws NotAdmittedException the mark was raised to that token at this very moment: begin again
     * @throws SinkException there was no answer: it may have been written
     */
    public void commit() throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        if (ended || admissions.isEmpty()) {
            throw new NoTransactionException(
                    ended ? "this write has ended" : "this write was not admitted to any term");
        }
        ended = true;
        Outcome outcome = keys.await(keys.apply(operations, "writing for " + admissions));
        if (outcome instanceof Outcome.Refused refused) {
            explain(refused.why().get(0));
        }
    }

    /** Nothing was written; why not, by the marks as they are now. */
    private void explain(String refusal) throws StaleTokenException, NotRaisedException, NotAdmittedException {
        String what = keys.label() + " did not admit " + admissions + ": " + refusal;
        try {
            for (Map.Entry<ElectionName, FencingToken> admission : admissions.entrySet()) {
                keys.await(marks.rule(admission.getKey())).admit(admission.getKey(), admission.getValue());
            }
        } catch (SinkException unread) {
            throw new NotAdmittedException(what + "; the marks could not be read: " + unread.getMessage(), unread);
        }
        throw new NotAdmittedException(what);
    }

    /** Ends it, nothing written. */
    public void rollBack() {
        ended = true;
    }
}
