package dev.incumbent.peers.raft;

/** What a member is. */
public enum RaftRole {
    /** Its process has not started. */
    STOPPED,
    /** Its disk was empty: it asks the others, and takes no part until all of them have answered. */
    WIPED,
    /** Follows a leader, or knows none. */
    FOLLOWER,
    /** Asks whether the others would vote for it. */
    PRE_CANDIDATE,
    /** Asks the others for their votes. */
    CANDIDATE,
    /** Was elected. It leads once a majority has answered a heartbeat. */
    LEADER
}
