package dev.incumbent.coordinator.sqlite;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** A machine's clock that a test may step. */
final class SteppedTimeline implements Timeline {
    private final Timeline real;
    private final AtomicLong aheadNanos = new AtomicLong();

    SteppedTimeline(Timeline real) {
        this.real = real;
    }

    void step(Duration by) {
        aheadNanos.addAndGet(by.toNanos());
    }

    @Override
    public long nanos() {
        return real.nanos() + aheadNanos.get();
    }

    @Override
    public long wallMillis() {
        return real.wallMillis();
    }

    @Override
    public OptionalLong bootNanos() {
        return real.bootNanos();
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        return real.at(nanos - aheadNanos.get(), task);
    }
}
