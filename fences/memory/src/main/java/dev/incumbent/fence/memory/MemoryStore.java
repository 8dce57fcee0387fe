package dev.incumbent.fence.memory;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What one sink remembers: its id, its marks, and what was written behind its fence.
 *
 * <p>Any number of {@link MemorySink}s open it, as processes open one database. Thread-safe; nothing blocks: where a real sink would let an admission wait
 * behind a raise, this one does not admit. Deterministic, if its callers are.
 */
public final class MemoryStore {
    private final SinkId id;
    private final Map<ElectionName, Gate> gates = new TreeMap<>();
    private final List<Written> written = new ArrayList<>();
    private long transactions;

    /** An empty store, born with that id. */
    public MemoryStore(SinkId id) {
        this.id = id;
    }

    /** One accepted write: under which term it was admitted, and what it says. */
    public record Written(ElectionName election, FencingToken token, String text) {}

    /** The marks and writes of one moment. */
    public record Copy(Map<ElectionName, Mark> marks, List<Written> written) {
        public Copy {
            marks = Map.copyOf(marks);
            written = List.copyOf(written);
        }
    }

    public SinkId id() {
        return id;
    }

    public synchronized MemoryTransaction begin() {
        return new MemoryTransaction(this, ++transactions);
    }

    /** Admits one write and commits it, in one step. */
    public synchronized void write(ElectionName election, FencingToken token, String text)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        gate(election).check(election, token);
        written.add(new Written(election, token, text));
    }

    /** All that was committed, in the order of commits. */
    public synchronized List<Written> written() {
        return List.copyOf(written);
    }

    public synchronized Map<ElectionName, Mark> marks() {
        Map<ElectionName, Mark> marks = new TreeMap<>();
        gates.forEach((election, gate) -> gate.mark().ifPresent(mark -> marks.put(election, mark)));
        return marks;
    }

    public synchronized Copy copy() {
        return new Copy(marks(), written);
    }

    /** Restores a copy, as who puts yesterday's backup in place: later marks and writes are gone, and open transactions cannot commit. */
    public void setBackTo(Copy copy) {
        List<Runnable> answers = new ArrayList<>();
        synchronized (this) {
            copy.marks().keySet().forEach(this::gate);
            gates.forEach((election, gate) -> answers.addAll(
                    gate.setBackTo(Optional.ofNullable(copy.marks().get(election)))));
            written.clear();
            written.addAll(copy.written());
        }
        answers.forEach(Runnable::run);
    }

    synchronized void admit(MemoryTransaction transaction, ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        Gate gate = gate(election);
        gate.check(election, token);
        gate.enter(transaction);
    }

    /** Ends a transaction, with the writes that it commits. */
    void end(MemoryTransaction transaction, Supplier<List<Written>> writes) {
        List<Runnable> answers = new ArrayList<>();
        synchronized (this) {
            written.addAll(writes.get());
            gates.values().forEach(gate -> answers.addAll(gate.leave(transaction)));
        }
        answers.forEach(Runnable::run);
    }

    void raise(ElectionName election, PendingRaise raise) {
        List<Runnable> answers;
        synchronized (this) {
            answers = gate(election).raise(raise);
        }
        answers.forEach(Runnable::run);
    }

    /** The raise ends in an error that names the blocker, unless it was answered before. */
    void giveUp(ElectionName election, PendingRaise raise, String afterHowLong) {
        List<Runnable> answers;
        synchronized (this) {
            answers = gate(election).giveUp(raise, afterHowLong);
        }
        answers.forEach(Runnable::run);
    }

    private Gate gate(ElectionName election) {
        return gates.computeIfAbsent(election, name -> new Gate());
    }
}
