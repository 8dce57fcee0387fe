package dev.incumbent.fence.tck;

/** What a sink declares of itself; a sentence that needs what is not declared is skipped, and counted as such. */
public enum Capability {
    /** Several transactions are admitted at once; else its writers are serial. */
    PARALLEL_ADMISSIONS,
    /** A transaction may read an older state than the one in force. */
    SNAPSHOTS,
    /** A client may send a token that is no number. */
    UNTYPED_TOKENS,
    /** A backup can be put in its place while it is open. */
    PUT_BACK,
    /** Something that is no mark can be put among the marks. */
    PLANTED_MARKS,
    /** Admission and write are one step at the server, taken at the commit: nothing is held before it, so no raise ever waits. */
    ADMITS_AT_COMMIT,
    /** A transaction bears the token of an election once: a second admission is refused. */
    ONE_ADMISSION
}
