package dev.incumbent.fence.memory;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One transaction over a {@link MemoryStore}: admits, writes, and commits or rolls back. Raises of an election it was admitted under wait until it ends.
 *
 * <p>A refused admission dooms it: it cannot commit any more. Thread-safe.
 */
public final class MemoryTransaction implements Fence, AutoCloseable {
    private enum State {
        OPEN,
        DOOMED,
        ENDED
    }

    private final MemoryStore store;
    private final long number;
    // All below is guarded by the store's lock.
    private final List<MemoryStore.Written> writes = new ArrayList<>();
    private Optional<Admission> admission = Optional.empty();
    private State state = State.OPEN;

    private record Admission(ElectionName election, FencingToken token) {}

    MemoryTransaction(MemoryStore store, long number) {
        this.store = store;
        this.number = number;
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        synchronized (store) {
            if (state != State.OPEN) {
                throw new NoTransactionException(this + " is " + state + ": nothing is admitted into it");
            }
            state = State.DOOMED;
            store.admit(this, election, token);
            admission = Optional.of(new Admission(election, token));
            state = State.OPEN;
        }
    }

    /** Writes under what was admitted last. */
    public void write(String text) {
        synchronized (store) {
            Admission under = admission.orElseThrow(() -> new IllegalStateException(this + " writes unadmitted"));
            writes.add(new MemoryStore.Written(under.election(), under.token(), text));
        }
    }

    /** Makes its writes visible, all or none. */
    public void commit() {
        store.end(this, this::committed);
    }

    private List<MemoryStore.Written> committed() {
        if (state != State.OPEN) {
            throw new IllegalStateException(this + " is " + state + " and cannot commit");
        }
        state = State.ENDED;
        return writes;
    }

    /** Ends it, nothing written; does nothing once it has ended. */
    public void rollBack() {
        store.end(this, () -> {
            state = State.ENDED;
            return List.of();
        });
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        rollBack();
    }

    void doom() {
        state = state == State.OPEN ? State.DOOMED : state;
    }

    @Override
    public String toString() {
        return "transaction " + number
                + admission
                        .map(by -> ", admitted with token " + by.token() + " of " + by.election())
                        .orElse("");
    }
}
