package dev.incumbent.protocol;

import java.util.Set;

/**
 * How far to go.
 *
 * @param led the first process leads term 1 from the start
 * @param terms no further than what happens while the record says this term
 */
record Bounds(int peers, boolean fenced, boolean led, int terms, int faults, Set<Fault> may) {
    /** What may go wrong, or be wanted by somebody. */
    enum Fault {
        UNANSWERED,
        SLOW,
        CRASH,
        RESIGN,
        FAIL,
        NEW_LEASE,
        FREEZE,
        TRANSFER,
        RESTORE,
        WITHDRAW,
        SUSPECT,
        /** Every process has a fence agent. */
        STONITH
    }
}
