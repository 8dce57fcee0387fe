package dev.incumbent.simulation;

import dev.incumbent.coordinator.CoordinatorException;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** What a stage failed with, without the wrapping of stages. */
final class Failures {
    private Failures() {}

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException
                ? Optional.ofNullable(failure.getCause()).orElse(failure)
                : failure;
    }

    /** May the call have applied? When in doubt, yes. */
    static boolean mayHaveApplied(Throwable failure) {
        return !(cause(failure) instanceof CoordinatorException e) || e.mayHaveApplied();
    }
}
