package dev.incumbent.quorum;

import dev.incumbent.quorum.Route.Answer;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The threads on which answers begin; none waits for one. A disk that hangs may stop those that make something durable and those that hand entries to the log, and still this node tells how it is.
 */
final class Workers implements Closeable {
    private static final int CALLERS = 4;

    private final ExecutorService callers = threads("incumbent-calls", CALLERS);
    private final ExecutorService durable = threads("incumbent-roll", 1);

    /** Threads that keep no JVM alive. */
    static ExecutorService threads(String name, int count) {
        return Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Has a request answered: its body is done with when {@code begun} is called, and {@code to} is told once, on any thread, and told nothing where there is no answer. */
    void answer(Incoming request, Runnable begun, Consumer<Optional<Answer>> to) {
        try {
            on(request.route().kind()).execute(() -> begin(request, begun, to));
        } catch (RejectedExecutionException isClosed) {
            begun.run();
            to.accept(Optional.empty());
        }
    }

    private Executor on(Route.Kind kind) {
        return switch (kind) {
            case AT_ONCE -> Runnable::run;
            case CALL, HELD -> callers;
            case DURABLE -> durable;
        };
    }

    private static void begin(Incoming request, Runnable begun, Consumer<Optional<Answer>> to) {
        var unused = begun(request, begun)
                .orTimeout(Bounds.Patience.ANSWERING.toMillis(), TimeUnit.MILLISECONDS)
                .handle((answer, failure) -> answer != null ? Optional.of(answer) : meaning(failure))
                .thenAccept(to);
    }

    private static CompletableFuture<Answer> begun(Incoming request, Runnable begun) {
        try {
            return request.route().answering().to(request.asked());
        } catch (IOException cannotTell) {
            return CompletableFuture.failedFuture(cannotTell);
        } catch (Parts.TooMany tooMany) {
            return Answer.now(413, tooMany.getMessage() + "\n");
        } catch (RuntimeException notUnderstood) {
            return Answer.now(400, notUnderstood + "\n");
        } finally {
            begun.run();
        }
    }

    /** Of an answer that does not come, or could not be made durable, nobody knows what became. */
    private static Optional<Answer> meaning(Throwable failure) {
        return failure instanceof TimeoutException || failure instanceof IOException
                ? Optional.empty()
                : Optional.of(new Answer(503, failure + "\n"));
    }

    @Override
    public void close() {
        callers.shutdownNow();
        durable.shutdownNow();
    }
}
