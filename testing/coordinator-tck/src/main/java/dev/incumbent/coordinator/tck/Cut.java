package dev.incumbent.coordinator.tck;

/** A way in which a client is cut off from its store. */
public enum Cut {
    /** Requests are refused at once, and nothing comes from the store. */
    REFUSED,
    /** All is lost for certain, both ways, and in silence: what is sent meanwhile never arrives. */
    SILENT,
    /** Requests arrive, and nothing comes from the store. */
    MUTE,
    /** Requests wait until the healing and arrive then; nothing comes from the store. */
    DELAYED
}
