package dev.incumbent.peers.ring;

/** What members of a ring say to each other. */
public sealed interface RingMessage {
    /** A token for the next member; answered by Taken. The number is its sender's. */
    record Passed(long number, RingToken token) implements RingMessage {}

    /** The token of that number has arrived. */
    record Taken(long number) implements RingMessage {}

    /** I still lead; said by the leader to every other member, not round the ring. */
    record Heartbeat() implements RingMessage {}
}
