package dev.incumbent.simulation;

/**
 * One thing that goes wrong, or that an operator does, as data: when, what, to whom, for how long, and how much.
 *
 * @param atNanos true time
 * @param node which process, where it concerns one
 * @param amount what the kind makes of it
 */
public record Fault(long atNanos, Kind kind, int node, long lengthNanos, long amount) {
    /** What can go wrong. */
    public enum Kind {
        PAUSE,
        PAUSE_THE_LEADER,
        PAUSE_BETWEEN_CHECK_AND_EFFECT,
        CRASH,
        CUT,
        CUT_REQUESTS,
        CUT_REPLIES,
        CUT_THE_LEADER,
        CUT_FROM_SINKS,
        SLOW,
        LOSSY,
        DOUBLE,
        STORE_DOWN,
        LEASES_LOST,
        STORE_RESTORED,
        STORE_CLOCK_BACK,
        STORE_CLOCK_FORWARD,
        CLOCK_RATE,
        SINK_BACK,
        STUBBORN_TASK,
        FAILING_TASK,
        UNHEALTHY,
        RESIGN,
        TRANSFER,
        SUSPECT,
        WITHDRAW,
        FREEZE,
        OPERATOR_TRANSFER,
        ROLLING,
        TYPO,
        WATCH_SILENT,
        FAILING_TASKS,
        SUSPEND,
        WALL_STEP,
        STARVED_DRIVER,
        CALLS_FAIL,
        CALLS_THROW,
        ONE_SINK_UNHEARD,
        LISTENERS_THROW,
        USER_CODE_BLOCKS,
        NO_THREAD,
        UNWELL_WHILE_CLAIMING,
        STAND_AGAIN,
        CLOSE_ALL,
        PREEMPTED_UNHEARD,
        HEARD,
        CORDON,
        PRIORITY,
        PLANNED_TRANSFER,
        MOVES,
        STONITH,
        CALLED_TWICE
    }

    @Override
    public String toString() {
        return "%.3f s %s node %d for %.3f s (%d)".formatted(atNanos / 1e9, kind, node, lengthNanos / 1e9, amount);
    }
}
