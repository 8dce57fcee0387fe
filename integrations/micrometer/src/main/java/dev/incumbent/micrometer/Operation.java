package dev.incumbent.micrometer;

import java.util.Locale;

/** The calls to a coordinator that are counted and timed: those that elections need. */
enum Operation {
    GRANT,
    KEEP_ALIVE,
    REVOKE,
    READ,
    SWAP,
    ENLIST,
    WITHDRAW,
    CANDIDATES,
    ELECTIONS;

    /** May it end in that way? Only what needs a live lease is answered that the lease is dead. */
    boolean mayEnd(Outcome outcome) {
        return outcome != Outcome.LEASE_LOST || this == KEEP_ALIVE || this == ENLIST;
    }

    /** Its name as the value of a tag. */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
