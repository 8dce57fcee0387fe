package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;

/**
 * What a member wants done, in the order given. An effect begins only once those before it are done: a vote is sent when it is durable. Where {@link Persist} fails,
 * the process must end: its machine has taken for granted that it did not.
 */
public sealed interface RaftEffect {
    /** Makes this durable. */
    record Persist(RaftDisk disk) implements RaftEffect {}

    /** Sends a message, once. */
    record Send(MemberId to, RaftMessage message) implements RaftEffect {}

    /** Raises the sinks to that term and begins the task. The lease is in the state; the term is a fencing token. */
    record BeginLeading(long term) implements RaftEffect {}

    /** Stops the task of that term; answered by TaskStopped. */
    record StopLeading(long term) implements RaftEffect {}

    /** That member leads that term. */
    record FollowLeader(MemberId leader, long term) implements RaftEffect {}
}
