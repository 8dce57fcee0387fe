package dev.incumbent.fence.file;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A file as leaders and operators see it. One daemon thread does the work, one question after another. */
final class FileSink implements Sink {
    private static final int MOST_WAITING = 256;

    private final GuardedFile file;
    private final Duration bound;
    private final ThreadPoolExecutor worker;

    FileSink(GuardedFile file, Duration bound) {
        this.file = file;
        this.bound = bound;
        this.worker = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), this::newThread);
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "incumbent " + file);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask("reading its id", () -> file.read(bound, "reading its id").id());
    }

    @Override
    public String label() {
        return file.toString();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask("raising " + election + " to " + mark, () -> file.raise(election, mark, bound));
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return marks().thenApply(read -> read.only(asked));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        String doing = "reading its marks";
        return ask(doing, () -> file.read(bound, doing).read());
    }

    @Override
    public void close() {
        worker.shutdown();
    }

    private <T> CompletionStage<T> ask(String doing, Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            worker.execute(() -> answer(answer, question));
        } catch (RejectedExecutionException rejected) {
            return CompletableFuture.failedFuture(new SinkException(
                    label() + (worker.isShutdown() ? " is closed" : ": " + MOST_WAITING + " questions wait already"),
                    rejected));
        }
        CompletableFuture.delayedExecutor(bound.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> answer.completeExceptionally(
                        new SinkException(label() + ": " + doing + " gave up after " + bound.toMillis() + " ms")));
        return answer;
    }

    private static <T> void answer(CompletableFuture<T> answer, Supplier<T> question) {
        if (answer.isDone()) {
            return;
        }
        try {
            answer.complete(question.get());
        } catch (RuntimeException failure) {
            answer.completeExceptionally(failure);
        }
    }
}
