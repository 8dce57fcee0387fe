package dev.incumbent.coordinator.tck;

import java.time.Duration;
import org.junit.jupiter.api.TestInfo;

/** How much time a test gives its store: little where it judges what came in time, and else so much that only what hangs exceeds it. */
public enum Pace {
    /** For sentences tagged {@code realtime}: they wait for leases, cut clients off, or judge punctuality. */
    PUNCTUAL,
    /** For all others. */
    PATIENT;

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    static Pace of(TestInfo test) {
        return test.getTags().contains("realtime") ? PUNCTUAL : PATIENT;
    }

    /** The bound of a call: the one given for who is punctual. */
    public Duration requestTimeout(Duration punctual) {
        return this == PUNCTUAL ? punctual : REQUEST_TIMEOUT;
    }

    /** How much later than its bound something may come: at least that, and at least three request timeouts. */
    public static Duration slack(Duration least, Duration requestTimeout) {
        return longer(least, requestTimeout.multipliedBy(3));
    }

    /** A lease of at least that length, which outlives two calls that nobody answers. */
    public static Duration lease(Duration least, Duration requestTimeout) {
        return longer(least, requestTimeout.multipliedBy(2));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
