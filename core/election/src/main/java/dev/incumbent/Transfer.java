package dev.incumbent;

import dev.incumbent.model.CandidateId;

/** How a transfer by the leader itself ended. */
public sealed interface Transfer {
    /** The record is vacated in favour of the successor. */
    record HandedOver(CandidateId successor) implements Transfer {}

    /** The same term goes on, or it ended otherwise. */
    record Aborted(String why) implements Transfer {}
}
