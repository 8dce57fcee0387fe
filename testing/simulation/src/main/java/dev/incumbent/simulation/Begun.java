package dev.incumbent.simulation;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;

/** A leadership that began: which, whose, and when in true time. */
record Begun(int index, ElectionName election, long term, CandidateId leader, long atNanos) {
    /** The index of a leadership that nobody had. */
    static final int NOBODYS = -1;
}
