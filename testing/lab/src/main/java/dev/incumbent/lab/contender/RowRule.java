package dev.incumbent.lab.contender;

/** How programs elect a leader by one row of a database, and get it wrong. */
enum RowRule {
    /** Whoever finds the row empty writes its name. Nothing ends that but whoever wrote it. */
    FLAG,
    /** The row has an expiry by the wall clock of whoever wrote it; whoever finds it past by its own wall clock takes the row. The leader believes what it was told last. */
    WALL_CLOCK,
    /** The row is locked by a connection. The server lets go once the connection is broken, or does not answer for half a minute; the leader never asks whether it still has it. */
    CONNECTION_LOCK,
    /** A lease on the store's clock, counted by the leader from before it asked: all right, but for a store that forgets it when it fails over. */
    FORGETFUL_LEASE
}
