package dev.incumbent.fence.sql;

import dev.incumbent.fence.SinkException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A few daemon threads and their connections to one server. Both are opened when needed; threads that idle end. Thread-safe. */
final class Lanes {
    static final int MOST = 4;
    private static final int MOST_DEADLOCKS = 20;
    private static final int MOST_WAITING = 20_000;
    private static final long IDLE_SECONDS = 10;

    private final Server server;
    private final Duration bound;
    private final ThreadPoolExecutor threads;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
    private final Map<Long, CompletableFuture<?>> unanswered = new ConcurrentHashMap<>();
    private final AtomicLong questions = new AtomicLong();

    Lanes(Server server, Duration bound, int most) {
        this.server = server;
        this.bound = bound;
        this.threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                work -> newThread(server, work));
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Server server, Runnable work) {
        Thread thread = new Thread(work, "incumbent " + server.label());
        thread.setDaemon(true);
        return thread;
    }

    /** Asks as soon as a lane is free; what is answered for meanwhile is not asked any more. */
    <T> CompletableFuture<T> ask(ServerSink.Question<T> question, Function<SQLException, SinkException> failed) {
        var answer = new CompletableFuture<T>();
        long number = questions.incrementAndGet();
        unanswered.put(number, answer);
        try {
            threads.execute(() -> {
                answer(answer, question, failed);
                unanswered.remove(number);
            });
        } catch (RejectedExecutionException rejected) {
            unanswered.remove(number);
            answer.completeExceptionally(new SinkException(
                    server.label()
                            + (threads.isShutdown() ? " is closed" : ": " + MOST_WAITING + " questions wait already"),
                    rejected));
        }
        return answer;
    }

    private <T> void answer(
            CompletableFuture<T> answer,
            ServerSink.Question<T> question,
            Function<SQLException, SinkException> failed) {
        if (answer.isDone()) {
            return;
        }
        try {
            Connection kept = idle.poll();
            if ((kept == null || !isAnswered(answer, question, kept)) && !answer.isDone()) {
                answer.complete(askedAnew(answer, question));
            }
        } catch (SQLException failure) {
            answer.completeExceptionally(failed.apply(failure));
        } catch (RuntimeException unexpected) {
            answer.completeExceptionally(
                    unexpected instanceof SinkException known
                            ? known
                            : new SinkException(server.label() + " failed: " + unexpected, unexpected));
        }
    }

    /** Where the server ended the question to break a deadlock, it is asked once more: raises of elections that are new there meet each other so on MariaDB. */
    private <T> T askedAnew(CompletableFuture<T> answer, ServerSink.Question<T> question) throws SQLException {
        for (int deadlocks = 0; ; deadlocks++) {
            try {
                return asked(connection -> question.first(connection), server.connect(bound));
            } catch (SQLException failure) {
                if (!isDeadlock(failure) || deadlocks == MOST_DEADLOCKS || answer.isDone()) {
                    throw failure;
                }
            }
        }
    }

    private static boolean isDeadlock(SQLException failure) {
        return String.valueOf(failure.getSQLState()).startsWith("40");
    }

    /** False where a connection that was kept turned out to be of no use any more. */
    private <T> boolean isAnswered(CompletableFuture<T> answer, ServerSink.Question<T> question, Connection kept)
            throws SQLException {
        try {
            answer.complete(asked(question, kept));
            return true;
        } catch (SQLException failure) {
            if (server.isWaitOver(failure)) {
                throw failure;
            }
            return false;
        }
    }

    private <T> T asked(ServerSink.Question<T> question, Connection connection) throws SQLException {
        boolean useful = false;
        busy.add(connection);
        try {
            if (threads.isShutdown()) {
                throw new SinkException(server.label() + " is closed");
            }
            T answer = question.of(connection);
            useful = true;
            return answer;
        } finally {
            busy.remove(connection);
            if (useful && !threads.isShutdown()) {
                idle.push(connection);
            } else {
                closeQuietly(connection);
            }
        }
    }

    /** Ends every wait, and every connection; interrupts nobody, since H2 closes its database for the whole process where a thread that writes is interrupted. May be called twice. */
    void close() {
        threads.shutdown();
        unanswered
                .values()
                .forEach(answer -> answer.completeExceptionally(new SinkException(server.label() + " is closed")));
        busy.forEach(Lanes::abort);
        for (Connection kept = idle.poll(); kept != null; kept = idle.poll()) {
            closeQuietly(kept);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException ignored) {
            // It is given up either way.
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException ignored) {
            // Nothing is lost with it: each question was a transaction of its own.
        }
    }
}
