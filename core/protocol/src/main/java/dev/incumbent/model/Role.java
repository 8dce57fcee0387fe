package dev.incumbent.model;

/** What a process is in one election. */
public enum Role {
    /** Only watches. */
    OBSERVER,
    /** Stands. */
    CANDIDATE,
    /** Has won, and raises the sinks; not leading yet. */
    FENCING,
    /** Leads: its task may run. */
    LEADER,
    /** Its term is ending: the task stops, then the record is vacated. */
    RESIGNING
}
