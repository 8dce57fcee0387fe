package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulException;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** What Consul's failures mean to a coordinator's caller. */
final class Failures {
    private Failures() {}

    /** The stage, failing as a coordinator's call does. */
    static <T> CompletionStage<T> told(CompletionStage<T> stage) {
        CompletableFuture<T> told = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                told.complete(value);
            } else {
                told.completeExceptionally(of(failure));
            }
        });
        return told;
    }

    static Throwable of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ConsulException consul ? of(consul) : cause;
    }

    static CoordinatorException of(ConsulException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure.isUnusable()
                ? new CoordinatorUnusableException(message, failure)
                : new CoordinatorException(message, failure.mayHaveApplied(), failure);
    }
}
