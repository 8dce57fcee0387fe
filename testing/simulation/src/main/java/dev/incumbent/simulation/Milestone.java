package dev.incumbent.simulation;

import dev.incumbent.protocol.Notice;
import java.util.Optional;

/** A rare situation that a batch of worlds must have been in: a test that never got there has tested nothing. */
public enum Milestone {
    PAUSED_WHILE_LEADING,
    STALE_WRITE_REFUSED,
    WRITE_NOT_RAISED_REFUSED,
    REPLY_LOST_AFTER_CLAIM,
    UNCERTAIN_CLAIM_WON,
    CUT_OFF_LEADER_STEPPED_DOWN,
    TAKEOVER_AFTER_DEATH,
    TAKEOVER_WITHIN_MARGIN,
    DISOWNED,
    HEALED,
    FREEZE_REMEMBERED,
    RAISED_AGAIN,
    SINK_UNRAISED,
    STALLED,
    GRACEFUL_HANDOVER,
    TRANSFER_ABORTED,
    FROZEN_AND_THAWED,
    TRANSFER_PLANNED,
    PLAN_DONE,
    MOVED_TO_BETTER,
    CORDONED,
    CORDONED_AND_LEADS,
    LEADS_BY_PRIORITY,
    LEADS_WITH_A_VERSION,
    PREEMPTED,
    CLOCK_FAST,
    CLOCK_SLOW,
    STORE_CLOCK_STEPPED_BACK,
    LEASES_LOST_TOGETHER,
    CRASHED_WHILE_FENCING,
    CRASHED_WHILE_LEADING,
    WATCH_GAPPED,
    WATCH_SILENCED,
    JEOPARDY,
    UNHEALTHY_LEADER,
    WAITED,
    LED_WITHOUT_A_TASK,
    SUSPENDED_WHILE_LEADING,
    DRIVER_STARVED_WHILE_LEADING,
    ONE_KIND_OF_CALL_FAILED,
    COORDINATOR_THREW,
    SINK_THREW,
    ONE_SINK_UNHEARD,
    LISTENER_THREW,
    NO_THREAD_TO_START,
    UNWELL_WHILE_CLAIMING,
    STOOD_AGAIN,
    CALLED_TWICE,
    CAMPAIGNED_ONCE_MORE,
    CLOSED_ALL,
    CLOSED_UNDER_A_TASK,
    PREEMPTED_UNHEARD,
    PREEMPTED_AND_GONE(true),
    PREEMPTED_AND_STILL(true),
    PREEMPTED_BY_MISTAKE(true),
    TROUBLED_ONCE_MORE,
    TWO_COORDINATORS_TOLD(true),
    HOLDER_TURNED_OFF(true),
    HOLDER_SEEN_GONE(true),
    HOLDER_NOT_TURNED_OFF(true);

    private final boolean rare;

    Milestone() {
        this(false);
    }

    Milestone(boolean rare) {
        this.rare = rare;
    }

    /** Counted, and required of the long run only. */
    public boolean isRare() {
        return rare;
    }

    /** What is reached where that is told. */
    static Optional<Milestone> of(Notice notice) {
        if (notice instanceof Notice.Disowned) {
            return Optional.of(DISOWNED);
        }
        if (notice instanceof Notice.Healed) {
            return Optional.of(HEALED);
        }
        if (notice instanceof Notice.FreezeRemembered) {
            return Optional.of(FREEZE_REMEMBERED);
        }
        if (notice instanceof Notice.RaisedAgain) {
            return Optional.of(RAISED_AGAIN);
        }
        if (notice instanceof Notice.SinkUnraised) {
            return Optional.of(SINK_UNRAISED);
        }
        if (notice instanceof Notice.Stalled) {
            return Optional.of(STALLED);
        }
        if (notice instanceof Notice.TransferAborted) {
            return Optional.of(TRANSFER_ABORTED);
        }
        if (notice instanceof Notice.Jeopardy jeopardy && jeopardy.inJeopardy()) {
            return Optional.of(JEOPARDY);
        }
        if (notice instanceof Notice.Waits) {
            return Optional.of(WAITED);
        }
        if (notice instanceof Notice.TwoCoordinators) {
            return Optional.of(TWO_COORDINATORS_TOLD);
        }
        if (notice instanceof Notice.HolderUnfenced) {
            return Optional.of(HOLDER_NOT_TURNED_OFF);
        }
        return Optional.empty();
    }
}
