package dev.incumbent;

import dev.incumbent.model.Timing;
import java.time.Duration;
import org.junit.jupiter.api.TestInfo;

/** The timing of tests on real time. */
final class TestTiming {
    private TestTiming() {}

    /** Short leases for a test that waits for them, which is tagged {@code realtime}; for others a lease that no pause of the machine outlasts. */
    static Timing of(TestInfo test) {
        return Timing.ofLease(test.getTags().contains("realtime") ? Duration.ofSeconds(2) : Duration.ofMinutes(1));
    }
}
