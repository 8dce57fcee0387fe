package dev.incumbent.outcome;

import java.util.List;

/** How a thaw ended. */
public sealed interface Thaw extends OperatorOutcome {
    /** The next term begins above this one. */
    record Thawed(long term) implements Thaw {}

    /** There was no freeze; nothing was done. */
    record NotFrozen() implements Thaw {}

    /** It cannot be; the flag stays as it is, and what sinks were raised stay closed to every term so far. */
    record Refused(String why) implements Thaw {}

    /** Sinks that could not be read; nothing was done. */
    record NotRead(List<OpenSink> sinks) implements Thaw {
        public NotRead {
            sinks = List.copyOf(sinks);
        }
    }

    /** Sinks that could not be raised; the flag stays. */
    record NotRaised(List<OpenSink> sinks) implements Thaw {
        public NotRaised {
            sinks = List.copyOf(sinks);
        }
    }
}
