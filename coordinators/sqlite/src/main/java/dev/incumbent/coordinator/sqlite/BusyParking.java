package dev.incumbent.coordinator.sqlite;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;

/**
 * Waits for SQLite's lock by asking again every half millisecond, until a deadline. SQLite's own handler backs off to 100 ms, and
 * beside a writer that commits without pause it starved keep-alives for seconds.
 */
final class BusyParking extends BusyHandler {
    private static final long PARK_NANOS = 500_000;
    private final Timeline timeline;
    private final long mostParks;
    private long giveUpAtNanos;

    BusyParking(Timeline timeline, Duration longest) {
        this.timeline = timeline;
        this.mostParks = longest.toNanos() / PARK_NANOS;
    }

    /** Until when the statements to come may wait; called on the thread that runs them. */
    void giveUpAt(long nanos) {
        giveUpAtNanos = nanos;
    }

    @Override
    protected int callback(int parked) {
        if (timeline.nanos() - giveUpAtNanos >= 0 || parked > mostParks) {
            return 0;
        }
        LockSupport.parkNanos(this, PARK_NANOS);
        return 1;
    }
}
