package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;

/**
 * One write behind the fence: all of its operations, or none. Used by one thread.
 *
 * <p>It is admitted by the commit, in the step that writes, so {@link #admit} only notes for which term it is written.
 */
public final class FencedWrite implements Fence {
    private final ZooKeeper client;
    private final Marks marks;
    private final Map<ElectionName, FencingToken> admissions = new LinkedHashMap<>();
    private final List<Op> operations = new ArrayList<>();
    private boolean ended;

    FencedWrite(ZooKeeper client, Marks marks) {
        this.client = client;
        this.marks = marks;
    }

    /** From here on this write is of that term, too. */
    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        if (ended) {
            throw new NoTransactionException("this write has ended, so nothing is admitted into it");
        }
        admissions.put(election, token);
    }

    /** Does this, too, when committed. */
    public FencedWrite add(Op operation) {
        operations.add(operation);
        return this;
    }

    /**
     * Writes, if what was admitted is in force. Blocks as long as the client does.
     *
     * @return the results of the operations, in their order
     * @throws NotAdmittedException the mark was raised to that token at this very moment, or could not be read: begin again
     * @throws KeeperException an operation of the caller's own was refused, and so nothing was written
     * @throws SinkException there was no answer: it may have been written
     */
    public List<OpResult> commit()
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException,
                    KeeperException, InterruptedException {
        if (ended || admissions.isEmpty()) {
            throw new NoTransactionException(
                    ended ? "this write has ended" : "this write was not admitted to any term");
        }
        ended = true;
        List<Op> all = new ArrayList<>();
        admissions.forEach((election, token) -> all.add(marks.admission(election, token)));
        all.addAll(operations);
        try {
            List<OpResult> results = client.multi(all);
            return results.subList(admissions.size(), results.size());
        } catch (KeeperException refused) {
            if (ZooKeeperSink.isUnanswered(refused)) {
                throw new SinkException(
                        "ZooKeeper did not answer the write of " + admissions + " (" + refused.code()
                                + "): it may have been written",
                        refused);
            }
            if (isOfAdmission(refused)) {
                explain();
            }
            throw refused;
        }
    }

    /** Did one of the admissions fail, and not an operation of the caller's? */
    private boolean isOfAdmission(KeeperException refused) {
        List<OpResult> results = refused.getResults();
        for (int i = 0; results != null && i < Math.min(admissions.size(), results.size()); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error
                    && error.getErr() == KeeperException.Code.NONODE.intValue()) {
                return true;
            }
        }
        return false;
    }

    /** Nothing was written; why not, by the marks as they are now. */
    private void explain() throws StaleTokenException, NotRaisedException, NotAdmittedException, InterruptedException {
        try {
            for (Map.Entry<ElectionName, FencingToken> admission : admissions.entrySet()) {
                marks.rule(client, admission.getKey()).admit(admission.getKey(), admission.getValue());
            }
        } catch (KeeperException unread) {
            throw new NotAdmittedException(
                    admissions + " was not admitted; the marks could not be read: " + unread.getMessage(), unread);
        }
        throw new NotAdmittedException(admissions + " was not admitted, and was raised since");
    }

    /** Ends it, nothing written. */
    public void rollBack() {
        ended = true;
    }
}
