package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.etcd.EtcdException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/** What etcd's failures mean to a coordinator's caller. */
final class Failures {
    private Failures() {}

    /** The stage, failing in {@link CoordinatorException}s alone. */
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

    static CoordinatorException of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof CoordinatorException known) {
            return known;
        }
        if (cause instanceof TimeoutException) {
            return new CoordinatorException("etcd did not answer a read in time", false, cause);
        }
        String message = String.valueOf(cause.getMessage());
        if (!(cause instanceof EtcdException etcd)) {
            return new CoordinatorException("an answer of etcd was not understood: " + cause, true, cause);
        }
        return switch (etcd.kind()) {
            case UNUSABLE -> new CoordinatorUnusableException(message, etcd);
            case UNCERTAIN, LEADER_CHANGED -> new CoordinatorException(message, true, etcd);
            case NOT_APPLIED, LEASE_NOT_FOUND -> new CoordinatorException(message, false, etcd);
        };
    }
}
