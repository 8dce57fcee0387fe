package dev.incumbent.model;

/** Why a term ended. */
public enum EndReason {
    /** By its leader's own will, or on request. */
    RESIGNED,
    /** In favour of a named successor. */
    TRANSFERRED,
    /** Its task threw. */
    TASK_FAILED,
    /** Its lease ended, or could not be proved any more. */
    LEASE_LOST,
    /** A later term, or a mark above its own, exists; or its record requires a feature that its process does not know. */
    SUPERSEDED,
    /** An operator froze the election. */
    FROZEN,
    /** Its leader was no longer well. */
    UNHEALTHY,
    /** Its task would not stop. */
    STALLED,
    /** The election object was closed. */
    CLOSED
}
