package dev.incumbent.time;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells pauses, suspends and steps of the wall clock, by looking at the clocks in short ticks while somebody listens.
 *
 * <p>It informs people and decides nothing: who must not act late asks its guard. What is shorter than {@code threshold} is not
 * told; the boot-time clock, slow to read, is read only where wall and monotonic clock disagree.
 */
public final class PauseDetector implements AutoCloseable {
    /** How often it looks. */
    public static final Duration TICK = Duration.ofMillis(100);

    /** Above the coarse steps of the boot-time clock and of an ordinary scheduler. */
    public static final Duration THRESHOLD = Duration.ofMillis(200);

    private final Timeline timeline;
    private final PauseListener listener;
    private final AtomicBoolean closed = new AtomicBoolean();
    private long seenNanos;
    private long seenWallMillis;
    private OptionalLong bootAhead;

    private PauseDetector(Timeline timeline, PauseListener listener) {
        this.timeline = timeline;
        this.listener = listener;
        this.seenNanos = timeline.nanos();
        this.seenWallMillis = timeline.wallMillis();
        this.bootAhead = bootAhead();
    }

    /** Listens from now on until it is closed. */
    public static PauseDetector listen(Timeline timeline, PauseListener listener) {
        PauseDetector detector = new PauseDetector(timeline, listener);
        detector.lookAgain();
        return detector;
    }

    /** Ends it; the listener may hear what is being told. May be called twice. */
    @Override
    public void close() {
        closed.set(true);
    }

    private void lookAgain() {
        timeline.at(timeline.nanos() + TICK.toNanos(), this::look);
    }

    private void look() {
        if (closed.get()) {
            return;
        }
        try {
            tellWhatHappened();
        } finally {
            lookAgain();
        }
    }

    private void tellWhatHappened() {
        long passed = timeline.nanos() - seenNanos;
        long wallPassed = (timeline.wallMillis() - seenWallMillis) * 1_000_000;
        seenNanos += passed;
        seenWallMillis += wallPassed / 1_000_000;
        long late = passed - TICK.toNanos();
        if (late > THRESHOLD.toNanos()) {
            listener.paused(Duration.ofNanos(late));
        }
        if (Math.abs(wallPassed - passed) > THRESHOLD.toNanos()) {
            tellWhichClockIsRight(wallPassed - passed);
        }
    }

    private void tellWhichClockIsRight(long wallAhead) {
        OptionalLong now = bootAhead();
        long suspended = now.isPresent() && bootAhead.isPresent() ? now.getAsLong() - bootAhead.getAsLong() : 0;
        bootAhead = now;
        if (suspended > THRESHOLD.toNanos()) {
            listener.suspended(Duration.ofNanos(suspended));
        } else {
            suspended = 0;
        }
        long stepped = wallAhead - suspended;
        if (Math.abs(stepped) > THRESHOLD.toNanos()) {
            listener.wallStepped(Duration.ofNanos(stepped));
        }
    }

    /** How far the boot-time clock is ahead of the monotonic one: grows by each suspend. */
    private OptionalLong bootAhead() {
        OptionalLong boot = timeline.bootNanos();
        return boot.isPresent() ? OptionalLong.of(boot.getAsLong() - timeline.nanos()) : boot;
    }
}
