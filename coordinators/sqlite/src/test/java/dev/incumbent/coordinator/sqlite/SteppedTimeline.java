package dev.incumbent.coordinator.sqlite;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** A machine's clocks that a test may step. */
final class SteppedTimeline implements Timeline {
    private final Timeline real;
    private final AtomicLong aheadNanos = new AtomicLong();
    private final AtomicLong wallAheadMillis = new AtomicLong();
    private final AtomicLong suspendedNanos = new AtomicLong();

    SteppedTimeline(Timeline real) {
        this.real = real;
    }

    void step(Duration by) {
        aheadNanos.addAndGet(by.toNanos());
    }

    /** Of the time of day alone. */
    void stepWall(Duration by) {
        wallAheadMillis.addAndGet(by.toMillis());
    }

    /** As after a machine slept: its monotonic clock stood still, and its others went on. */
    void suspend(Duration length) {
        stepWall(length);
        suspendedNanos.addAndGet(length.toNanos());
    }

    @Override
    public long nanos() {
        return real.nanos() + aheadNanos.get();
    }

    @Override
    public long wallMillis() {
        return real.wallMillis() + wallAheadMillis.get();
    }

    @Override
    public OptionalLong bootNanos() {
        OptionalLong boot = real.bootNanos();
        return boot.isPresent() ? OptionalLong.of(boot.getAsLong() + suspendedNanos.get()) : boot;
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        return real.at(nanos - aheadNanos.get(), task);
    }
}
