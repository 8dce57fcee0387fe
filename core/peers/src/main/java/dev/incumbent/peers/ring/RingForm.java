package dev.incumbent.peers.ring;

/** How the members of a ring find the greatest of them. All members of a ring use the same form. */
public enum RingForm {
    /** Each passes on the greatest id so far, and swallows lesser ones: E. Chang and R. Roberts, 1979. */
    GREATEST,
    /** Each adds its id to a list, whose greatest leads once it has come round: as in A. Tanenbaum's textbooks. */
    LIST
}
