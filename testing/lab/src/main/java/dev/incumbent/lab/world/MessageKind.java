package dev.incumbent.lab.world;

/** What a message is for. */
public enum MessageKind {
    /** Shows that somebody or something is still there: heartbeats, renewals, polls, and the answers to them. */
    HEARTBEAT,
    /** Serves to find, announce or settle a leader. */
    ELECTION,
    /** The leader's own work: counted nowhere. */
    WORK
}
