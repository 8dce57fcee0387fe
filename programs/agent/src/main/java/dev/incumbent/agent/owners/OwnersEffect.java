package dev.incumbent.agent.owners;

/** What the agent has to do. */
public sealed interface OwnersEffect {
    /** The agent begins to stand in the election. */
    record Stand() implements OwnersEffect {}

    /** The agent leaves the election. No term of it runs any more. */
    record Withdraw() implements OwnersEffect {}

    /** The term of this token is given up at the coordinator: nobody on this host acts in it any more. */
    record GiveUp(long token) implements OwnersEffect {}

    /** The watchdog shall guard the work of that owner in the term of that token. */
    record Watch(String id, long token) implements OwnersEffect {}

    /** The work that the watchdog guards in that term must stop, and is not known to have stopped. */
    record WatchEnds(String id, long token) implements OwnersEffect {}

    /** That work has stopped, or has never begun. */
    record Unwatch(String id, long token) implements OwnersEffect {}

    /** What an owner is answered. */
    sealed interface Reply extends OwnersEffect {}

    /** The program stands. */
    record Stands(String id) implements Reply {}

    /** The program may not stand. */
    record Refused(String id, Why why) implements Reply {}

    /** There is no such owner: it was withdrawn, or the agent was started again. */
    record Unknown(String id) implements Reply {}

    /** The owner leads. It may believe so for {@code holdsNanos} from when it sent its heartbeat, on its own clock; whole milliseconds. */
    record Leads(String id, long token, long holdsNanos) implements Reply {}

    /**
     * The owner does not lead.
     *
     * @param place its place in the line of this host, from 1
     * @param ended the token of its own term that ends and whose work has not stopped as far as the agent knows; 0 if there is none
     */
    record Waits(String id, int place, long ended) implements Reply {}

    /** The owner has left. */
    record Gone(String id) implements Reply {}

    /** Why a program may not stand. */
    enum Why {
        /** Its time to live is too short or too long. */
        TTL,
        /** As many stand already as may. */
        FULL,
        /** The agent is about to end. */
        DRAINING,
        /** It asks for a watchdog, and there is none that could guard it. */
        WATCHDOG,
        /** It names no process, and only that one's end would show that its work has stopped. */
        PROCESS
    }
}
