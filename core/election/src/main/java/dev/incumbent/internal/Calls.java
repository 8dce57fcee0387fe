package dev.incumbent.internal;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Calls to adapters: one that throws at once ends like one that fails later, and a failure is told in a sentence. */
public final class Calls {
    private Calls() {}

    static <T> CompletionStage<T> of(Supplier<CompletionStage<T>> call) {
        try {
            return Objects.requireNonNull(call.get(), "an adapter returned null instead of a stage");
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** The same, of a call that must be answered by something. */
    public static <T> CompletionStage<T> answered(Supplier<CompletionStage<T>> call) {
        return of(call).thenApply(answer -> Objects.requireNonNull(answer, "it answered with nothing"));
    }

    /** A stage for users: what depends on it runs on a thread of user code, or on the caller's where it is done already. */
    static <T> CompletionStage<T> handedOut(CompletableFuture<T> stage, Executor userCode) {
        return stage.isDone()
                ? stage.minimalCompletionStage()
                : stage.whenCompleteAsync((value, failure) -> {}, userCode);
    }

    /** What it fails with, without the wrapping of stages. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** May the call have applied? When in doubt, yes. */
    static boolean mayHaveApplied(Throwable failure) {
        return !(cause(failure) instanceof CoordinatorException e) || e.mayHaveApplied();
    }

    /** Does the coordinator refuse it as it is configured or as it stands? Then it is not silent, and somebody has to change something. */
    static boolean isRefused(Throwable failure) {
        return cause(failure) instanceof CoordinatorUnusableException;
    }

    /** Why a call failed, in a sentence. */
    public static String why(Throwable failure) {
        Throwable cause = cause(failure);
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
