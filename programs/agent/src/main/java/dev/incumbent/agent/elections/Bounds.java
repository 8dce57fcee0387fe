package dev.incumbent.agent.elections;

import java.time.Duration;

/** How much an agent keeps and waits for, at most. */
public final class Bounds {
    /** Coordinators of one agent. The bounds of the agent are those of all of them together. */
    public static final int COORDINATORS = 8;
    /** Elections that the owners of one host stand in. */
    public static final int ELECTIONS = 1_000;
    /** Owners that stand in one election. */
    public static final int OWNERS = 100;
    /** Heartbeats that wait for news at once; what comes above is answered at once. */
    public static final int WAITING = 200;
    /** How long a heartbeat waits for news. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    /** Streams of events at once; each holds a connection. */
    public static final int STREAMS = 100;
    /** Streams of one token, or of one user of a Unix socket, so that nobody takes all of them. */
    public static final int STREAMS_OF_ONE = 40;
    /** What waits in a stream for its reader: all terms that a record remembers, told of candidates with as many attributes as they may have. Who reads more slowly is closed. */
    public static final int STREAM_BYTES = 256 * 1024;
    /** How long a stream is silent at most: so its reader knows that it still stands, and the agent that there is a reader. */
    public static final Duration BETWEEN_SIGNS = Duration.ofSeconds(5);
    /** Alarms that are open at once. */
    public static final int ALARMS = 1_000;
    /** Elections of which a refusal that a writer reported is remembered: who may report must not drown what the agent sees itself. */
    public static final int REPORTS = 100;
    /** Questions to the coordinators that are under way at once; what comes above waits. */
    public static final int QUESTIONS = 16;
    /** The shortest time to live of an owner. */
    public static final Duration LEAST_TTL = Duration.ofSeconds(1);
    /** Kept back of the stop budget: the term is given up before the library's patience ends. */
    static final Duration BEFORE_THE_STOP = Duration.ofMillis(100);

    private Bounds() {}
}
