package dev.incumbent.internal;

import dev.incumbent.model.EndReason;

/** What runs in one term of this process, and how it is stopped. Called on the driver's thread. */
interface TermRun {
    /** Nothing of ours: its leader asks. */
    TermRun ASKED = new TermRun() {};

    /** What runs in each term of one candidacy. */
    @FunctionalInterface
    interface Each {
        TermRun of(CurrentLeadership leadership, ElectionDriver driver);
    }

    default void start() {}

    /** The leadership is valid for longer, and may be led until later. */
    default void validityExtended() {}

    /** Tells it to stop. Is it to be waited for? Then the driver hears when it has returned; else it has. */
    default boolean interrupt() {
        return false;
    }

    /** The term is over. */
    default void ended(EndReason reason) {}
}
