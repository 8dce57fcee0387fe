package dev.incumbent.junit;

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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A sink as one process reaches it over the network. The sink itself may work on threads of its own: the world stands still until it has answered. */
final class LinkedSink implements Sink {
    private final VirtualProcess process;
    private final Sink sink;

    LinkedSink(VirtualProcess process, Sink sink) {
        this.process = process;
        this.sink = sink;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask(sink::id);
    }

    @Override
    public String label() {
        return sink.label();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask(() -> sink.raise(election, mark));
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
        return ask(() -> sink.raise(election, mark, lease));
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return ask(() -> sink.marks(elections));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return ask(sink::marks);
    }

    /** Its owner closes it. */
    @Override
    public void close() {}

    private <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> there) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Machine machine = process.machine();
        machine.toStores().carry(() -> {
            CompletableFuture<T> settled = settled(there);
            machine.fromStores()
                    .carry(() -> machine.clock().whenAwake(() -> {
                        if (process.isAlive()) {
                            CompletableFuture<T> unused =
                                    settled.whenComplete((told, failure) -> tell(answer, told, failure));
                        }
                    }));
        });
        Timeline timeline = process.platform().timeline();
        long bound = process.world().timing().lease().toNanos() / 3;
        Timeline.Alarm limit = timeline.at(
                timeline.nanos() + bound,
                () -> answer.completeExceptionally(new SinkException(sink.label() + " does not answer")));
        return answer.whenComplete((told, failure) -> limit.cancel());
    }

    private static <T> void tell(CompletableFuture<T> answer, T told, Throwable failure) {
        if (failure == null) {
            answer.complete(told);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    /** What it answers, once it has. */
    private <T> CompletableFuture<T> settled(Supplier<CompletionStage<T>> there) {
        Duration limit = process.world().realTimeLimit();
        try {
            CompletableFuture<T> stage = there.get().toCompletableFuture();
            return CompletableFuture.completedFuture(stage.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException failed) {
            return CompletableFuture.failedFuture(failed.getCause());
        } catch (TimeoutException late) {
            process.world()
                    .failed(new AssertionError(
                            "the sink " + sink.label() + " has not answered within " + limit + " of real time"));
            return new CompletableFuture<>();
        } catch (InterruptedException ofTheTest) {
            Thread.currentThread().interrupt();
            process.world().failed(new AssertionError("the thread of the test was interrupted"));
            return new CompletableFuture<>();
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }
}
