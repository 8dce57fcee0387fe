package dev.incumbent.coordinator;

import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;

/** How a swap ended. What is neither is a {@link CoordinatorException}. */
public sealed interface Swap {
    /** It applied, and this is the record's revision now, or was just after. */
    record Accepted(Revision revision) implements Swap {}

    /** Another revision was found; the record as it is, where the store tells it with the refusal. */
    record Refused(Optional<ObservedRecord> current) implements Swap {}
}
