package dev.incumbent.telling.conflict;

import java.util.Locale;

/** What contradicts what, and what can be done about it. */
public enum ConflictKind {
    /** A host holds a term while the record names another leader. */
    TWO_LEADERS("only a fence keeps their writes apart: look at the clocks and pauses of both hosts"),
    /** A host holds a term that the record has not reached, or has forgotten. */
    RECORD_WENT_BACK("the coordinator was restored to an older copy, or two coordinators serve this election"),
    /** A host holds a term for which the record names no leader, or a dead lease. */
    LEADER_WITHOUT_LEASE("look at the clock of this host, and whether it was paused"),
    /** A sink was raised above all that the record knows. */
    MARK_ABOVE_RECORD(
            "the coordinator was restored to an older copy, or two coordinators share this sink; if only one is in"
                    + " use, the next claim heals it"),
    /** A person raised a sink above all that the record knows. */
    MARK_RAISED_BY_HAND("a person raised it past its leader: writes wait for the next claim, which is above it"),
    /** A term of this host was given up for a mark of a sink that the record did not know. */
    TERM_REFUSED("a person raised the mark, the coordinator was restored to an older copy, or two coordinators share"
            + " this sink; the next term is above that mark"),
    /** A sink was raised to a term by somebody else than the leader of that term on record. */
    MARK_OF_ANOTHER("two coordinators share this sink: end one of them, or give it a sink of its own"),
    /** A term leads, and a sink of the record is not raised to it. */
    SINK_NOT_RAISED(
            "the sink was restored to an older copy, or its raise is held up: late writes pass until it is raised"),
    /** The election is frozen, and a sink of the record admits writes. */
    SINK_OPEN_IN_FREEZE("freeze it again, with this sink"),
    /** A freeze owns the mark, and the record knows of none. */
    FREEZE_FORGOTTEN("freeze it again, with this sink, then thaw it"),
    /** The mark of a sink cannot be read. */
    MARK_UNREADABLE("nobody writes past it: put the mark back, or remove it and let the leader raise it again"),
    /** A writer reports that a sink has refused its token. */
    STALE_WRITE("the fence did its work; find out why that writer went on after its term");

    private final String advice;

    ConflictKind(String advice) {
        this.advice = advice;
    }

    /** As JSON, metrics and events name it, such as {@code mark-above-record}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it may mean and what can be done, for people. */
    public String advice() {
        return advice;
    }
}
