package dev.incumbent.fence.tck;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A sink in memory with flaws, or with none. */
final class TwinRig implements FenceRig {
    private final TwinStore store;
    private final String name;
    private final Queue<TwinWriter> writers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger installs = new AtomicInteger(1);
    private final CyclicBarrier together = new CyclicBarrier(2);
    private volatile boolean bornTogether;

    TwinRig(Set<Flaw> flaws, String name) {
        this.store = new TwinStore(flaws.isEmpty() ? EnumSet.noneOf(Flaw.class) : EnumSet.copyOf(flaws));
        this.name = name;
    }

    TwinStore store() {
        return store;
    }

    SinkId id() {
        String born = store.has(Flaw.HAS_ITS_URL_FOR_AN_ID) ? "twin" : name;
        return new SinkId(store.has(Flaw.IS_BORN_AGAIN_BY_AN_INSTALL) || bornTogether ? born + installs : born);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.ADMITS_AT_COMMIT, Capability.ONE_ADMISSION));
    }

    @Override
    public Sink open(Duration bound) {
        return new TwinSink(this, bound);
    }

    @Override
    public void install() {
        installs.incrementAndGet();
        if (store.has(Flaw.IS_BORN_AGAIN_BY_INSTALLS_AT_ONCE)) {
            meet();
        }
    }

    /** Two installs that were begun at once wait for each other, and both are born. */
    private void meet() {
        try {
            together.await(1, TimeUnit.SECONDS);
            bornTogether = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException | TimeoutException alone) {
            together.reset();
        }
    }

    @Override
    public Writer begin() {
        TwinWriter writer = new TwinWriter(store);
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        if (!store.has(Flaw.ADMITS_OUTSIDE_A_TRANSACTION)) {
            throw new NoTransactionException("there is no transaction");
        }
    }

    @Override
    public List<String> written() {
        return store.lines();
    }

    @Override
    public void restart() {
        writers.forEach(TwinWriter::cutOff);
        writers.clear();
        store.restart();
    }

    @Override
    public Runnable backUp() {
        TwinStore.Copy copy = store.copy();
        return () -> {
            writers.forEach(TwinWriter::cutOff);
            store.become(copy);
        };
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        store.plants().plantUnreadable(election);
    }

    @Override
    public void plantForeign(String name) {
        store.plants().plantForeign();
    }

    @Override
    public void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {
        restart();
    }
}
