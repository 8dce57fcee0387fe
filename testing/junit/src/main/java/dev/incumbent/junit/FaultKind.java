package dev.incumbent.junit;

/** What {@link World#injectFaults} lets go wrong. */
public enum FaultKind {
    /** A candidate's process stands still: in half of the cases the leader's, between two calls of its task. */
    PAUSE,
    /** A candidate's process dies, and starts again later. */
    KILL,
    /** A candidate is cut off: from the coordinator, from the stores, or from both. */
    PARTITION,
    /** Somebody sets the wall clock of a candidate's machine, by up to two hours. */
    CLOCK_STEP
}
