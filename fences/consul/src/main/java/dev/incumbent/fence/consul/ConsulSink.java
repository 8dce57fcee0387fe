package dev.incumbent.fence.consul;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Keys of Consul as leaders and operators see them. A raise waits for nobody: what is admitted here is written in the same step. */
final class ConsulSink implements Sink {
    private final ConsulKeys keys;
    private final Marks marks;

    ConsulSink(String url, Duration bound) {
        this.keys = ConsulKeys.at(url, bound);
        this.marks = new Marks(keys);
    }

    @Override
    public CompletionStage<SinkId> id() {
        return bounded(marks.readId(), "reading its id");
    }

    @Override
    public String label() {
        return keys.label();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return bounded(marks.raise(election, mark), "raising " + election + " to " + mark);
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return bounded(marks.of(Set.copyOf(elections)), "reading its marks");
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return bounded(marks.all(), "reading its marks");
    }

    @Override
    public void close() {
        keys.close();
    }

    private <T> CompletionStage<T> bounded(CompletableFuture<T> answer, String doing) {
        CompletableFuture<T> told = new CompletableFuture<>();
        CompletableFuture<T> unused = answer.copy()
                .orTimeout(keys.bound().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((value, failure) -> {
                    if (failure == null) {
                        told.complete(value);
                    } else {
                        told.completeExceptionally(known(failure, doing));
                    }
                });
        return told;
    }

    private SinkException known(Throwable failure, String doing) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof SinkException known) {
            return known;
        }
        return cause instanceof TimeoutException
                ? new SinkException(label() + ": " + doing + " gave up after "
                        + keys.bound().toMillis() + " ms")
                : new SinkException(label() + ": " + doing + " failed: " + cause, cause);
    }
}
