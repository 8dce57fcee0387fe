package dev.incumbent.coordinator;

import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;

/** The result of a read for one election. */
public sealed interface Reading {
    /** The record, as it was at some time between the call and its answer. So a caller that counts from this reading counts from the call. */
    record Found(ObservedRecord record) implements Reading {}

    /** The election has no record: none was ever written. */
    record Absent() implements Reading {}

    /** The record could not be read, so nothing is known about it. {@code why} is for people. */
    record Unread(String why) implements Reading {}

    /**
     * The record cannot be understood: another program or a later version has written it. {@code revision} is its revision. A process of this version does not
     * stand in such an election.
     */
    record Foreign(Revision revision, String why) implements Reading {}
}
