package dev.incumbent.internal;

import dev.incumbent.coordinator.CoordinatorException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Calls to adapters: one that throws at once ends like one that fails later, and a failure is told in a sentence. */
final class Calls {
    private Calls() {}

    static <T> CompletionStage<T> of(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
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

    static String why(Throwable failure) {
        Throwable cause = cause(failure);
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
