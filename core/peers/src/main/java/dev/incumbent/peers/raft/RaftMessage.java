package dev.incumbent.peers.raft;

/** What members say to each other. A refusal is not said, save where a greater term is known. */
public sealed interface RaftMessage {
    /** Would you vote for me in that term? It binds nobody. */
    record RequestPreVote(long term) implements RaftMessage {}

    /** I would. */
    record GrantPreVote(long term) implements RaftMessage {}

    /**
     * Vote for me in that term.
     *
     * @param transfer the leader of the term before has stopped and asked for this, so that its lease binds nobody
     */
    record RequestVote(long term, boolean transfer) implements RaftMessage {}

    /** I have; said once it is on the disk. */
    record GrantVote(long term) implements RaftMessage {}

    /**
     * I lead that term.
     *
     * @param sentAtNanos on the leader's clock, which the answer repeats
     * @param leaseNanos for how long whoever answers is asked to vote for nobody else
     */
    record Heartbeat(long term, long sentAtNanos, long leaseNanos) implements RaftMessage {}

    /** I vote for nobody else for one lease, from now on. */
    record HeartbeatTaken(long term, long sentAtNanos) implements RaftMessage {}

    /** You are behind: that term is known here. */
    record HigherTerm(long term) implements RaftMessage {}

    /** I led that term and have stopped: stand at once. */
    record TimeoutNow(long term) implements RaftMessage {}

    /** My disk is empty: which term do you know? The nonce is this start's. */
    record AskTerm(long nonce) implements RaftMessage {}

    /** That one; from a disk of that group. */
    record TellTerm(long nonce, String group, long term) implements RaftMessage {}
}
