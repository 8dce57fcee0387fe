package dev.incumbent.cli.frame;

import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what a coordinator or a sink answers; a verb has nothing else to do. */
public final class Answers {
    /** The bound of one call to a coordinator or a sink, from verbs that hold no lease. */
    public static final Duration CALL_BOUND = Duration.ofSeconds(5);

    /** A contract's call ends by itself within its bound; this is for one that breaks its contract. */
    private static final Duration PATIENCE = CALL_BOUND.multipliedBy(8);

    private Answers() {}

    /** The answer, or the very exception that the call ended in. */
    public static <T> T await(CompletionStage<T> call) {
        try {
            return call.toCompletableFuture().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException silent) {
            throw Refusal.unreachable("no answer within " + DurationText.format(PATIENCE));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.notSo("interrupted");
        }
    }
}
