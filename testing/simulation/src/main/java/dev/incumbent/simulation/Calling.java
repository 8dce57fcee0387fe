package dev.incumbent.simulation;

import java.util.List;

/** The kinds of calls to a store that may fail while the others do not. */
enum Calling {
    READS,
    KEEP_ALIVES,
    SWAPS,
    LISTS;

    static final List<Calling> ALL = List.of(values());
    static final List<Fails> FAILURES = List.of(Fails.UNSENT, Fails.UNANSWERED, Fails.LATE);

    /** How one kind of call fails. */
    enum Fails {
        NOT,
        UNSENT,
        UNANSWERED,
        LATE
    }
}
