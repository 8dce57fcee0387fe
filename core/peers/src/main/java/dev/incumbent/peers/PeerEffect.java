package dev.incumbent.peers;

/**
 * What a member of a bully or a ring wants done, in the order given. None is answered.
 *
 * @param <M> the messages of its protocol
 */
public sealed interface PeerEffect<M> {
    /** Sends a message, once. */
    record Send<M>(MemberId to, M message) implements PeerEffect<M> {}

    /** This member believes that it leads. It has no token that a sink could compare, and another member may believe the same. */
    record BeginLeading<M>() implements PeerEffect<M> {}

    /** This member believes no longer that it leads. */
    record StopLeading<M>() implements PeerEffect<M> {}

    /** This member believes that another one leads. */
    record FollowLeader<M>(MemberId leader) implements PeerEffect<M> {}
}
