package dev.incumbent.coordinator;

import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;

/** How a swap ended. If it is not known how, the call fails with a {@link CoordinatorException} instead. */
public sealed interface Swap {
    /** The swap was applied. {@code revision} is the record's revision after it, which may have changed since. */
    record Accepted(Revision revision) implements Swap {}

    /** The record had another revision, so nothing was written. {@code current} is the record that was found, if the store tells it with the refusal. */
    record Refused(Optional<ObservedRecord> current) implements Swap {}
}
