package dev.incumbent.agent.owners;

/** What happens to the owners of one election. */
public sealed interface OwnersEvent {
    /** A program asks to stand, perhaps under the watchdog of the host. */
    record Asked(String id, String name, long ttlNanos, boolean watched) implements OwnersEvent {}

    /** A heartbeat has come. */
    record Heard(String id) implements OwnersEvent {}

    /** A heartbeat says that the owner's work in the term of this token has stopped. */
    record Stopped(String id, long token) implements OwnersEvent {}

    /**
     * The answer to an owner's heartbeat is due now.
     *
     * @param remainingNanos for how long the agent's own leadership still holds, read after the heartbeat came; zero if it does not
     */
    record AnswerDue(String id, long remainingNanos) implements OwnersEvent {}

    /** An owner withdraws, and says that its work has stopped. */
    record Left(String id) implements OwnersEvent {}

    /** The agent leads a new term. */
    record TermBegan(long token) implements OwnersEvent {}

    /** The agent's own term ends, or must be given up soon. */
    record TermEnding(long token) implements OwnersEvent {}

    /** The watchdog guards the work of that owner in that term, and fires then unless it is fed or stopped before. */
    record Guarded(String id, long token, long firesAtNanos) implements OwnersEvent {}

    /** The watchdog does not guard that work, or not in time. */
    record Unguarded(String id, long token) implements OwnersEvent {}

    /** The agent is told to end. */
    record Draining() implements OwnersEvent {}

    /** Nothing but time has passed. */
    record TimePassed() implements OwnersEvent {}
}
