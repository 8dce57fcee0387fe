package dev.incumbent.fence.tck;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.fence.memory.MemoryTransaction;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The reference sink, on virtual time. */
final class MemoryRig implements FenceRig {
    private final VirtualTimeline timeline = new VirtualTimeline();
    private final MemoryStore store;

    MemoryRig(String id) {
        store = new MemoryStore(new SinkId(id));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.PARALLEL_ADMISSIONS, Capability.PUT_BACK);
    }

    @Override
    public Sink open(Duration bound) {
        return new MemorySink(store, timeline, bound);
    }

    @Override
    public void install() {
        // A store is born installed.
    }

    @Override
    public Writer begin() {
        return new MemoryWriter(store.begin());
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        MemoryTransaction ended = store.begin();
        ended.commit();
        ended.admit(election, token);
    }

    @Override
    public List<String> written() {
        return store.written().stream().map(MemoryStore.Written::text).toList();
    }

    @Override
    public void restart() {
        store.setBackTo(store.copy());
    }

    @Override
    public Runnable backUp() {
        MemoryStore.Copy copy = store.copy();
        return () -> store.setBackTo(copy);
    }

    @Override
    public void pass(Duration time) {
        timeline.advance(time);
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void close() {
        // Nothing is held outside the heap.
    }

    private record MemoryWriter(MemoryTransaction transaction) implements Writer {
        @Override
        public void admit(ElectionName election, FencingToken token)
                throws dev.incumbent.fence.StaleTokenException, dev.incumbent.fence.NotRaisedException,
                        dev.incumbent.fence.NoTransactionException, dev.incumbent.fence.NotAdmittedException {
            transaction.admit(election, token);
        }

        @Override
        public void read() {
            throw new UnsupportedOperationException("this sink has no snapshots");
        }

        @Override
        public void admitText(ElectionName election, String token) {
            throw new UnsupportedOperationException("this sink's tokens are typed");
        }

        @Override
        public void write(String line) {
            transaction.write(line);
        }

        @Override
        public void commit() {
            transaction.commit();
        }

        @Override
        public void rollBack() {
            transaction.rollBack();
        }
    }
}
