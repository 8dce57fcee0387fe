package dev.incumbent.lab.world;

/** What can happen to members, clocks, the network and the store. */
public enum FaultKind {
    /** The process dies, and starts again after the fault's length. */
    CRASH,
    /** The process is stopped in good order, and starts again after the fault's length. */
    RESTART,
    /** Nothing of the process runs; its clocks do. */
    PAUSE,
    /** Those members on one side; all others and the store on the other one. The sink is reached by both. */
    PARTITION,
    /** What it sends to other members and to the store is lost; what they send arrives. */
    UNHEARD,
    /** What other members and the store send to it is lost; what it sends arrives. */
    DEAF,
    /** Its clock runs at that multiple of the true rate. */
    CLOCK_RATE,
    /** Its wall clock is set forward by so many seconds, or back where there are less than none. */
    WALL_STEP,
    /** So many of a hundred messages are lost, between all. */
    LOSS,
    /** Each message, between all, takes longer by up to so many milliseconds. */
    DELAY,
    /** The leader is asked to hand over to the next member. */
    HAND_OVER,
    /** The next member that holds an election, or claims, dies 20 ms later, and starts again after the fault's length. */
    ELECTOR_CRASH,
    /** The store fails over to a copy that lacks what was written last. */
    STORE_FORGETS
}
