package dev.incumbent.time;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Time that moves only when it is told to: for tests.
 *
 * <p>Deterministic: alarms run in the order of their instants, and of their setting where those are equal, on the thread that moves
 * the time. What an alarm sets for now or before runs in the same move; a move throws once a million alarms in a row have rung at
 * one instant. Other threads may read the clocks and set alarms; only one moves the time, and an alarm must not.
 */
public final class VirtualTimeline implements Timeline {
    /** Neither zero nor the same on two clocks, so that a clock taken for another one shows. */
    private static final long FIRST_NANOS = -5_000_000_000L;

    private static final long FIRST_BOOT_NANOS = 86_400_000_000_000L;
    private static final int MOST_AT_ONCE = 1_000_000;
    private static final Instant FIRST_WALL = Instant.parse("2026-01-01T00:00:00Z");

    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableSet<Due> alarms = new TreeSet<>();
    private final boolean hasBootClock;
    private long nanos = FIRST_NANOS;
    private long bootNanos = FIRST_BOOT_NANOS;
    private long wallNanos = FIRST_WALL.toEpochMilli() * 1_000_000;
    private long sequence;
    private boolean moving;
    // Touched only by the thread that moves the time.
    private long latest = FIRST_NANOS;
    private int ranAtOnce;

    /** With a boot-time clock. */
    public VirtualTimeline() {
        this(true);
    }

    private VirtualTimeline(boolean hasBootClock) {
        this.hasBootClock = hasBootClock;
    }

    /** A system that offers no boot-time clock. */
    public static VirtualTimeline withoutBootClock() {
        return new VirtualTimeline(false);
    }

    @Override
    public long nanos() {
        return locked(() -> nanos);
    }

    @Override
    public long wallMillis() {
        return locked(() -> Math.floorDiv(wallNanos, 1_000_000));
    }

    @Override
    public OptionalLong bootNanos() {
        return hasBootClock ? OptionalLong.of(locked(() -> bootNanos)) : OptionalLong.empty();
    }

    @Override
    public Alarm at(long instant, Runnable task) {
        Due due = new Due(instant, locked(() -> sequence++), task);
        change(() -> alarms.add(due));
        return () -> change(() -> alarms.remove(due));
    }

    /** Lets time pass: every alarm that falls due runs, at its instant. */
    public void advance(Duration length) {
        move(length, true);
    }

    /** Runs what is due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** The process stands still while all clocks run: alarms that fell due run at the end, late. */
    public void pause(Duration length) {
        move(length, false);
    }

    /** The machine is suspended: the monotonic clock stands, boot time and wall clock run; nothing runs. */
    public void suspend(Duration length) {
        requireNotNegative(length);
        change(() -> {
            bootNanos += length.toNanos();
            wallNanos += length.toNanos();
        });
    }

    /** Somebody sets the wall clock, forward or, by a negative length, back. */
    public void stepWall(Duration by) {
        change(() -> wallNanos += by.toNanos());
    }

    private void move(Duration length, boolean punctual) {
        requireNotNegative(length);
        long target = locked(() -> {
            if (moving) {
                throw new IllegalStateException("the time is moving already: an alarm must not move it");
            }
            moving = true;
            return nanos + length.toNanos();
        });
        try {
            if (!punctual) {
                change(() -> moveTo(target));
            }
            for (Optional<Due> due = next(target); due.isPresent(); due = next(target)) {
                run(due.get());
            }
            change(() -> moveTo(target));
        } finally {
            change(() -> moving = false);
        }
    }

    /** Where each alarm sets another for now, the move would never end. */
    private void run(Due due) {
        boolean movesOn = due.nanos - latest > 0;
        latest = movesOn ? due.nanos : latest;
        ranAtOnce = movesOn ? 0 : ranAtOnce + 1;
        if (ranAtOnce > MOST_AT_ONCE) {
            throw new IllegalStateException("the time cannot move on: each alarm sets another for the same instant");
        }
        due.task.run();
    }

    /** Takes the first alarm that is due by then, and moves the clocks to it. */
    private Optional<Due> next(long target) {
        return locked(() -> {
            Optional<Due> first = alarms.stream().findFirst().filter(due -> due.nanos - target <= 0);
            first.ifPresent(due -> {
                alarms.remove(due);
                moveTo(due.nanos);
            });
            return first;
        });
    }

    private void moveTo(long instant) {
        long by = Math.max(0, instant - nanos);
        nanos += by;
        bootNanos += by;
        wallNanos += by;
    }

    private static void requireNotNegative(Duration length) {
        if (length.isNegative()) {
            throw new IllegalArgumentException("time moves forward only, not by " + length);
        }
    }

    private void change(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    private record Due(long nanos, long sequence, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.signum(nanos - other.nanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
