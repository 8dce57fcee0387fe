package dev.incumbent.supervisor;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Decides when a supervisor is taken for frozen. One that lets its deadline pass is; one that does not answer shortly before is, too,
 * and then what it would have killed is killed by hand, so early that all are gone by the time at which it would have been taken over.
 *
 * <p>Runs on one thread, which {@link #wake} wakes where the deadline has changed.
 */
final class Takeover {
    /** A supervisor that is well answers within that. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long before the deadline the tree is measured: a lease that is renewed in time is never so short. */
    private static final long LOOK_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long FOR_LONG_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The supervisor that is watched. */
    interface Watched {
        /** Whether its connection has ended, or all are gone. */
        boolean isOver();

        /** When it is overdue; empty while it has nothing to end. One that waits for what it may not end has longer, once it was asked. */
        OptionalLong overdueAt();

        /** Asks it for a sign of life. */
        void ask();

        /** Whether it has given one since it was last asked. */
        boolean hasAnswered();

        /** Does once, without killing anyone, what taking over takes. */
        void rehearse();

        /** How long it would take to end all below it by hand. */
        long costNanos();

        /** Ends all below it by hand, and then itself. */
        void takeOver();
    }

    private final Watched watched;
    private final LongSupplier nanos;
    private final Thread thread = new Thread(this::watch, "incumbent-supervisor-takeover");
    private long overdueAt;
    private long costNanos;
    private long earlyNanos;
    private boolean measured;
    private boolean asked;

    Takeover(Watched watched, LongSupplier nanos) {
        this.watched = watched;
        this.nanos = nanos;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** The deadline has changed, or all is over. */
    void wake() {
        LockSupport.unpark(thread);
    }

    private void watch() {
        watched.rehearse(); // what a JVM does for the first time it does slowly
        while (!watched.isOver()) {
            OptionalLong due = watched.overdueAt();
            long wait = due.isPresent() ? untilNextLook(due.getAsLong()) : FOR_LONG_NANOS;
            if (wait <= 0 && watched.overdueAt().equals(due)) {
                watched.takeOver();
                return;
            }
            LockSupport.parkNanos(wait);
        }
    }

    /** How long to wait before this is asked again; not above zero: it is time to take over. */
    long untilNextLook(long due) {
        if (due != overdueAt) {
            overdueAt = due;
            measured = false;
            asked = false;
        }
        long left = due - nanos.getAsLong();
        if (!measured && left > LOOK_AHEAD_NANOS) {
            return left - LOOK_AHEAD_NANOS;
        }
        return untilEarlyTakeover();
    }

    private long untilEarlyTakeover() {
        if (!measured) {
            measured = true;
            costNanos = watched.costNanos();
        }
        long left = overdueAt - nanos.getAsLong();
        if (!asked) {
            if (left > costNanos + ANSWER_NANOS) {
                return left - costNanos - ANSWER_NANOS;
            }
            asked = true;
            earlyNanos = Math.max(0, Math.min(costNanos, left - ANSWER_NANOS));
            watched.ask();
        }
        return watched.hasAnswered() ? left : left - earlyNanos;
    }
}
