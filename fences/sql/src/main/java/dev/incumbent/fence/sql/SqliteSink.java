package dev.incumbent.fence.sql;

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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A SQLite file as leaders and operators see it.
 *
 * <p>One daemon thread of its own does the work, one question after another; callers never block. A question that has waited or worked for the bound ends in
 * a {@link SinkException}, and the thread turns to the next. Each answer is of the file that stands under the name when it is given: see
 * {@link SqliteConnection}.
 */
final class SqliteSink implements Sink {
    private static final int MOST_WAITING = 256;

    private final SqliteFile file;
    private final Duration bound;
    private final Executor whenTheBoundIsOver;
    private final SqliteConnection connection;
    private final ThreadPoolExecutor worker;

    SqliteSink(SqliteFile file, Duration bound) {
        this.file = file;
        this.bound = bound;
        this.whenTheBoundIsOver = CompletableFuture.delayedExecutor(bound.toNanos(), TimeUnit.NANOSECONDS);
        this.connection = new SqliteConnection(file);
        this.worker = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), this::newThread);
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "incumbent " + file.label());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask("reading its id", SqliteQuestions::id);
    }

    @Override
    public String label() {
        return file.label();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask("raising " + election + " to " + mark, there -> SqliteQuestions.raise(there, election, mark));
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return ask("reading its marks", there -> SqliteQuestions.MARKS.of(there, asked));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return ask("reading its marks", SqliteQuestions.MARKS::all);
    }

    @Override
    public void close() {
        if (worker.isShutdown()) {
            return;
        }
        connection.giveUp();
        worker.shutdown();
        try {
            if (!worker.awaitTermination(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                worker.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        connection.close();
    }

    private <T> CompletionStage<T> ask(String doing, SqliteConnection.Question<T> question) {
        var answer = new CompletableFuture<T>();
        try {
            worker.execute(() -> answer(answer, doing, question));
        } catch (RejectedExecutionException rejected) {
            answer.completeExceptionally(new SinkException(
                    label() + (worker.isShutdown() ? " is closed" : ": " + MOST_WAITING + " questions wait already"),
                    rejected));
            return answer;
        }
        whenTheBoundIsOver.execute(() -> giveUp(answer, doing));
        return answer;
    }

    private <T> void answer(CompletableFuture<T> answer, String doing, SqliteConnection.Question<T> question) {
        if (answer.isDone()) {
            return;
        }
        try {
            answer.complete(connection.ask(doing, question, answer::isDone));
        } catch (SinkException failure) {
            answer.completeExceptionally(failure);
        } catch (RuntimeException unexpected) {
            answer.completeExceptionally(
                    new SinkException(label() + ": " + doing + " failed: " + unexpected, unexpected));
        }
    }

    private void giveUp(CompletableFuture<?> answer, String doing) {
        if (!answer.isDone()) {
            answer.completeExceptionally(
                    new SinkException(label() + ": " + doing + " gave up after " + bound.toMillis() + " ms"
                            + SqliteLock.holder(file)
                                    .map(holder -> "; " + holder + " holds its write lock")
                                    .orElse("")));
        }
    }
}
