package dev.incumbent.coordinator;

import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;

/** What one read told of one election. */
public sealed interface Reading {
    /** The record, as it was at some instant after the read was called: whoever calls counts from then. */
    record Found(ObservedRecord record) implements Reading {}

    /** No record was ever written. */
    record Absent() implements Reading {}

    /** This one could not be read; {@code why} is for people. Says nothing about the record. */
    record Unread(String why) implements Reading {}

    /**
     * This one cannot be understood: a record of a foreign or a later format. {@code revision} names it; nobody of this version stands on
     * it.
     */
    record Foreign(Revision revision, String why) implements Reading {}
}
