package dev.incumbent.peers;

/**
 * What has happened to a member of a bully or a ring.
 *
 * @param <M> the messages of its protocol
 */
public sealed interface PeerEvent<M> {
    /** Its process has started, for the first time or again. */
    record Started<M>() implements PeerEvent<M> {}

    /** A message has arrived. Messages may be lost, late, doubled, or out of order. */
    record Received<M>(MemberId from, M message) implements PeerEvent<M> {}

    /** The time that the machine asked to be woken at has come. Told after the messages that had arrived by then. */
    record Woken<M>() implements PeerEvent<M> {}
}
