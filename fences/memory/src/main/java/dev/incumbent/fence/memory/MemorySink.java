package dev.incumbent.fence.memory;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A {@link MemoryStore} as leaders and operators see it.
 *
 * <p>Answers at once, save a raise that waits for admitted transactions: that one ends in whose thread they end, or in the timeline's once the bound is over.
 * Closing it lets a raise under way go on, as a connection's end would.
 */
public final class MemorySink implements Sink {
    private final MemoryStore store;
    private final Timeline timeline;
    private final Duration bound;
    private final AtomicBoolean closed = new AtomicBoolean();

    public MemorySink(MemoryStore store, Timeline timeline, Duration bound) {
        this.store = store;
        this.timeline = timeline;
        this.bound = bound;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return answer(store::id);
    }

    @Override
    public String label() {
        return "memory:" + store.id();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(closedAlready());
        }
        var raise = new PendingRaise(mark, label() + ": raising " + election + " to " + mark);
        var alarm = timeline.at(
                timeline.nanos() + bound.toNanos(), () -> store.giveUp(election, raise, bound.toMillis() + " ms"));
        store.raise(election, raise);
        return raise.answer().whenComplete((answer, failure) -> alarm.cancel());
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return answer(() -> MarksRead.of(store.marks()).only(elections));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return answer(() -> MarksRead.of(store.marks()));
    }

    @Override
    public void close() {
        closed.set(true);
    }

    private <T> CompletionStage<T> answer(Supplier<T> answer) {
        return closed.get()
                ? CompletableFuture.failedFuture(closedAlready())
                : CompletableFuture.completedFuture(answer.get());
    }

    private SinkException closedAlready() {
        return new SinkException(label() + " is closed");
    }
}
