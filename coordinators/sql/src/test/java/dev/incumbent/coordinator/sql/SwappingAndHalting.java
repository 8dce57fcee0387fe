package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.Revision;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;

/** A program that opens a coordinator, swaps a record, and ends without a word to anybody as soon as that is acknowledged. */
public final class SwappingAndHalting {
    private static final int TERMS = 50;

    private SwappingAndHalting() {}

    public static void main(String[] uris) throws Exception {
        Coordinator client =
                new SqlCoordinatorProvider().open(uris[0], new SystemTimeline(), Duration.ofSeconds(20), Mode.CREATE);
        Revision current = Revision.ABSENT;
        for (int term = 1; term <= TERMS; term++) {
            current = swapped(client, current, vacant(term));
        }
        Runtime.getRuntime().halt(TERMS);
    }
}
