package dev.incumbent.micrometer;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import java.util.Locale;
import java.util.concurrent.CompletionException;

/** How a call to a coordinator ended. */
enum Outcome {
    /** In an answer, an expected refusal among them. */
    OK,
    /** In none, and it has not applied; or it read nothing. */
    FAILED,
    /** In none, and it may have applied. */
    UNCERTAIN,
    /** The store answered that the lease is dead. */
    LEASE_LOST;

    /** Its name as the value of a tag. */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Outcome of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof LeaseLostException) {
            return LEASE_LOST;
        }
        return cause instanceof CoordinatorException told && !told.mayHaveApplied() ? FAILED : UNCERTAIN;
    }
}
