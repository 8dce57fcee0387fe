package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.Set;

/** What is worth telling of one election, besides its terms: for health, logs, alarms. Decides nothing. */
public sealed interface Notice {
    /** The term is still valid, but its last renewals failed; or that is over. */
    record Jeopardy(long term, boolean inJeopardy) implements Notice {}

    /** A claim was won: the sinks are being raised. */
    record Won(long term) implements Notice {}

    /** A term met a mark above it: the coordinator went back, and is healed by writing the mark down. */
    record Healed(long term, SinkId sink, Mark met) implements Notice {}

    /** Three healings within ten leases: two coordinators share the sink. This process stands no more for so long. */
    record TwoCoordinators(SinkId sink, Mark met) implements Notice {}

    /** A sink remembers a freeze that the coordinator forgot. */
    record FreezeRemembered(SinkId sink, Mark met) implements Notice {}

    /** A holder acts no more, and the record says so no more. */
    record HolderFenced(Holder holder, HolderProof proof) implements Notice {}

    /** A holder was not shown to act no more: this term does not begin. */
    record HolderUnfenced(Holder holder, String why) implements Notice {}

    /** This process does not stand, for the record has no room for one more holder; empty once that is over. */
    record HoldersFull(String why) implements Notice {}

    /** A sink could not be raised. */
    record SinkUnraised(SinkId sink, String why) implements Notice {}

    /** A sink went back and was raised again. */
    record RaisedAgain(SinkId sink, long term) implements Notice {}

    /** The task does not stop within its budget. */
    record Stalled(long term) implements Notice {}

    /** This process does not stand, as it lacks sinks that the record names, or brings retired ones. */
    record SinksMismatch(Set<SinkId> missing, Set<SinkId> retired) implements Notice {}

    /** The record requires features that this process does not know, so that it neither stands nor writes; none once that is over. */
    record FeaturesUnknown(Set<Feature> features) implements Notice {}

    /** A transfer was given up and the same term goes on. */
    record TransferAborted(long term, CandidateId successor, String why) implements Notice {}

    /** A record that names this process for a term that it does not hold is being vacated. */
    record Disowned(long term) implements Notice {}

    /** A term that did not last makes this process wait before it stands again. */
    record Waits(long nanos) implements Notice {}
}
