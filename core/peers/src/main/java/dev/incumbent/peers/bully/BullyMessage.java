package dev.incumbent.peers.bully;

/** What members of a bully say to each other. */
public enum BullyMessage {
    /** I hold an election; said to each greater member. */
    ELECTION,
    /** I am alive, and I am greater: I take the election over. */
    ALIVE,
    /** I lead; said to each lesser member. */
    COORDINATOR,
    /** I still lead; said to each lesser member. It also repairs a lost COORDINATOR. */
    HEARTBEAT
}
