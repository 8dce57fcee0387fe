package dev.incumbent.time;

import java.util.OptionalLong;

/** The clocks of one process, and waiting on them. Thread-safe. */
public interface Timeline {
    /** The monotonic clock; may stand still while the machine is suspended. */
    long nanos();

    /** The wall clock; may step. */
    long wallMillis();

    /** The clock since boot, running through a suspend, where the system offers one. Slower to read, and coarser. */
    OptionalLong bootNanos();

    /**
     * Runs a task once {@link #nanos()} has reached an instant, soon after; at once if it has passed. Tasks of one timeline run one at a time and must return
     * at once.
     */
    Alarm at(long nanos, Runnable task);

    /** Something that will run. */
    interface Alarm {
        /** It will not run any more, unless it runs already. */
        void cancel();
    }
}
