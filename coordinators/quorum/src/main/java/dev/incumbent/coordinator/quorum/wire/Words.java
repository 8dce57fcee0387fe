package dev.incumbent.coordinator.quorum.wire;

/** The words that lines begin with, the paths that they are sent to, and the headers beside them. */
public final class Words {
    /** Calls, one a line; answered by as many lines, in that order. */
    public static final String CALLS = "/v1/calls";
    /** A watch that is held open until something it names has changed. */
    public static final String WATCH = "/v1/watch";
    /** Who answers. */
    public static final String NODE_HEADER = "Incumbent-Node";
    /** Names the quorum since it was formatted: a node tells it with every answer, and refuses who means another. */
    public static final String QUORUM_HEADER = "Incumbent-Quorum";
    /** Who leads, as far as the node knows. */
    public static final String LEADER_HEADER = "Incumbent-Leader";
    /**
     * In a request: the position in the log of the list of members that the sender knows, 0 for none. In an answer, where the node knows a later one: its
     * position, and {@code NAME=HOST:PORT} of each member.
     */
    public static final String MEMBERS_HEADER = "Incumbent-Members";
    /** How long the sender waits for the answer, in milliseconds. */
    public static final String WITHIN_HEADER = "Incumbent-Within";

    // Calls that change the state: entries of the log.
    /** {@code GRANT lease owner millis}; a client leaves the lease empty, for the node to name it. */
    public static final String GRANT = "GRANT";
    /** {@code KEEP lease}. */
    public static final String KEEP = "KEEP";
    /** {@code REVOKE lease}. */
    public static final String REVOKE = "REVOKE";
    /** {@code SWAP election expected nonce lease record}; {@code expected} is a nonce, or empty for no record. */
    public static final String SWAP = "SWAP";
    /** {@code ENLIST election candidate lease text}. */
    public static final String ENLIST = "ENLIST";
    /** {@code WITHDRAW election candidate}. */
    public static final String WITHDRAW = "WITHDRAW";
    /** {@code EXPIRE lease version}: proposed by the leader alone, without effect where the version has moved on. */
    public static final String EXPIRE = "EXPIRE";
    /** {@code EPOCH id}: a leader's first entry. */
    public static final String EPOCH = "EPOCH";

    // Calls that read.
    /** {@code READ election…}: answered by {@code READ} and, for each that has a record, its name, nonce, 1 if its lease lives, what is left of it, record. */
    public static final String READ = "READ";
    /** {@code CANDIDATES election…}: answered by {@code CANDIDATES} and pairs of an election and one candidate, in the order of enlisting. */
    public static final String CANDIDATES = "CANDIDATES";
    /** {@code ELECTIONS prefix}: answered by {@code ELECTIONS} and names, in order. */
    public static final String ELECTIONS = "ELECTIONS";
    /** {@code CLOCK}: answered by {@code CLOCK millis}. */
    public static final String CLOCK = "CLOCK";

    // Answers.
    public static final String GRANTED = "GRANTED";
    public static final String DONE = "DONE";
    /** The lease is dead. */
    public static final String LOST = "LOST";
    /** {@code ACCEPTED nonce}. */
    public static final String ACCEPTED = "ACCEPTED";
    /** {@code REFUSED}, and what {@link #READ} tells of the election. */
    public static final String REFUSED = "REFUSED";
    /** {@code ELSEWHERE node why}: surely not applied, and that node leads, if any is named. */
    public static final String ELSEWHERE = "ELSEWHERE";
    /** {@code LATER why}: surely not applied, and may be tried again. */
    public static final String LATER = "LATER";
    /** {@code UNCERTAIN why}: may have applied. */
    public static final String UNCERTAIN = "UNCERTAIN";
    /** {@code BAD why}: not understood, and not applied. */
    public static final String BAD = "BAD";

    // Of a watch.
    /** {@code SINCE watch position millis}: the first line of a watch; where it was told up to, and how long it may be held. */
    public static final String SINCE = "SINCE";
    /** {@code ADD election…}: to be told of from now on, and at once. */
    public static final String ADD = "ADD";
    /** {@code DROP election…}. */
    public static final String DROP = "DROP";
    /** {@code ALL}: what this request adds is all that is watched. */
    public static final String ALL = "ALL";
    /** {@code AT position}: the first line of its answer; then come lines {@code READ} with the position of each. */
    public static final String AT = "AT";
    /** {@code WHO}: the node knows no watch of that name; it is sent once more, with {@link #ALL}. */
    public static final String WHO = "WHO";
    /** {@code GAP}: the position is none of this store's past: it was restored. Everything watched is told anew. */
    public static final String GAP = "GAP";

    private Words() {}
}
