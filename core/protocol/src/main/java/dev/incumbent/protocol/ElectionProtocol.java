package dev.incumbent.protocol;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Standing.Listing;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * One process in one election, as a pure machine: an event and a moment in, a new state and effects out.
 *
 * <pre>{@code
 *  OBSERVER  -campaigned->  CANDIDATE  -claim won->  FENCING  -all sinks raised, recorded->  LEADER
 *      ^                       ^  ^                     |                                       |
 *      +------ withdrawn ------+  +---- left ---- RESIGNING <---- lapsed, superseded, asked … --+
 * }</pre>
 *
 * <p>Each step first lets time end what it has ended, then takes the event, then pursues what the role owes: so a lost answer, a refusal or a pause
 * needs no retry of its own. Holds no state: one instance serves any number of states of one setup. Follows leases by Gray and Cheriton, fencing tokens as in Chubby's sequencers, and the raise as
 * Paxos' phase one at the sinks. The model in {@code spec/} is its precise form.
 */
public final class ElectionProtocol {
    private final Setup setup;

    public ElectionProtocol(Setup setup) {
        this.setup = setup;
    }

    public Setup setup() {
        return setup;
    }

    /** Takes one event at one moment; moments never go back. */
    public Step<ElectionState, Effect> step(ElectionState state, Event event, Moment now) {
        Draft draft = new Draft(setup, state, now);
        Leading.expire(draft);
        take(draft, event);
        Leading.expire(draft);
        pursue(draft);
        Campaign.tellWhatChanged(draft);
        Reading.pursue(draft);
        return draft.step();
    }

    private static void pursue(Draft draft) {
        Role before;
        do {
            before = draft.role;
            switch (draft.role) {
                case OBSERVER, CANDIDATE -> Campaign.pursue(draft);
                case FENCING -> Raising.pursue(draft);
                case LEADER -> Leading.pursue(draft);
                case RESIGNING -> Resigning.pursue(draft);
            }
        } while (draft.role != before);
    }

    private static void take(Draft draft, Event event) {
        if (event instanceof Event.Campaigned) {
            campaigned(draft);
        } else if (event instanceof Event.Withdrawn) {
            withdrawn(draft);
        } else if (event instanceof Event.HealthChanged e) {
            healthChanged(draft, e.well());
        } else if (event instanceof Event.PositionReached e) {
            draft.standing = draft.standing.reached(e.position());
        } else if (event instanceof Event.ElectionsLed e) {
            draft.standing = draft.standing.leads(e.elections());
        } else if (event instanceof Event.LeaderHeard e) {
            Preempting.heard(draft, e.leader(), e.term());
        } else if (event instanceof Event.LeaderSuspected e) {
            Preempting.suspected(draft, e.leader(), e.term());
        } else if (!takeSession(draft, event) && !takeRecord(draft, event) && !takeCandidates(draft, event)) {
            takeTerm(draft, event);
        }
    }

    private static boolean takeSession(Draft draft, Event event) {
        if (event instanceof Event.LeaseGranted e) {
            draft.lease = Optional.of(new HeldLease(e.lease(), e.timeToLive(), e.sentAtNanos(), false));
            draft.standing = draft.standing.listing(Listing.OFF);
        } else if (event instanceof Event.LeaseRenewed e) {
            draft.lease = draft.lease.map(held -> held.id().equals(e.lease()) ? held.renewed(e.sentAtNanos()) : held);
            Leading.jeopardy(draft, false);
        } else if (event instanceof Event.RenewalMissed) {
            Leading.jeopardy(draft, true);
        } else if (event instanceof Event.SessionEnding) {
            draft.lease = draft.lease.map(HeldLease::ended);
        } else if (event instanceof Event.LeaseLost e) {
            if (draft.lease.filter(held -> held.id().equals(e.lease())).isPresent()) {
                draft.lease = Optional.empty();
                draft.standing = draft.standing.listing(Listing.OFF);
            }
        } else {
            return false;
        }
        return true;
    }

    private static boolean takeRecord(Draft draft, Event event) {
        if (event instanceof Event.RecordObserved e) {
            Reading.observed(draft, e.observed(), e.sentAtNanos());
        } else if (event instanceof Event.RecordUnread) {
            Reading.unread(draft);
        } else if (event instanceof Event.RecordChanged e) {
            Reading.changed(draft, e.observed());
        } else if (event instanceof Event.WatchGapped) {
            draft.known = draft.known.unwatched().wantsRead();
        } else if (event instanceof Event.WatchProved e) {
            Reading.proved(draft, e.sentAtNanos());
        } else if (event instanceof Event.SwapAccepted e) {
            Swapping.accepted(draft, e.nonce(), e.revision());
        } else if (event instanceof Event.SwapRefused e) {
            Swapping.refused(draft, e.nonce(), e.current());
        } else if (event instanceof Event.SwapUncertain e) {
            Swapping.uncertain(draft, e.nonce());
        } else if (event instanceof Event.SwapFailed e) {
            Swapping.failed(draft, e.nonce());
        } else {
            return false;
        }
        return true;
    }

    private static boolean takeCandidates(Draft draft, Event event) {
        if (event instanceof Event.CandidateEnlisted) {
            if (draft.standing.listing() == Listing.ASKED) {
                draft.standing = draft.standing.listing(Listing.ON);
                draft.known = draft.known.lined(
                        Optional.empty(), draft.known.questions().listing());
            }
        } else if (event instanceof Event.EnlistFailed) {
            if (draft.standing.listing() == Listing.ASKED) {
                draft.standing = draft.standing.listing(Listing.OFF).enlistsAt(later(draft));
            } else {
                draft.standing = draft.standing.unlisted(later(draft));
            }
        } else if (event instanceof Event.CandidatesListed e) {
            Campaign.listed(draft, e.candidates(), e.sentAtNanos());
        } else if (event instanceof Event.CandidatesUnlisted) {
            draft.known = draft.known
                    .lined(draft.known.line(), false)
                    .readsAt(later(draft))
                    .wantsRead();
        } else {
            return false;
        }
        return true;
    }

    private static void takeTerm(Draft draft, Event event) {
        if (event instanceof Event.MarkRaised e) {
            Raising.raised(draft, e.sink(), e.mark());
        } else if (event instanceof Event.MarkRefused e) {
            Raising.refused(draft, e.sink(), e.asked(), e.inForce());
        } else if (event instanceof Event.MarkUnraised e) {
            Raising.unraised(draft, e.sink(), e.asked(), e.why());
        } else if (event instanceof Event.HolderFenced e) {
            StonithRules.fenced(draft, e.term(), e.proof());
        } else if (event instanceof Event.HolderUnfenced e) {
            StonithRules.unfenced(draft, e.term(), e.why());
        } else if (event instanceof Event.MarkRead e) {
            Leading.markRead(draft, e.sink(), e.mark(), e.sentAtNanos());
            Preempting.read(draft, e.sink(), e.mark(), e.sentAtNanos());
        } else if (event instanceof Event.MarkUnread e) {
            Preempting.unread(draft, e.sink(), e.sentAtNanos());
        } else if (event instanceof Event.TaskReturned e) {
            Leading.taskReturned(draft, e.term(), e.outcome());
        } else if (event instanceof Event.TokenRefused e) {
            Leading.tokenRefused(draft, e.term());
        } else if (event instanceof Event.ResignAsked) {
            if (draft.role == Role.LEADER || draft.role == Role.FENCING) {
                draft.end(EndReason.RESIGNED, true);
            }
        } else if (event instanceof Event.TransferAsked e) {
            Leading.wish(draft, e.successor());
        }
    }

    private static void campaigned(Draft draft) {
        draft.standing = draft.standing.campaigning(true);
        if (draft.role == Role.OBSERVER) {
            draft.become(Role.CANDIDATE, Set.of(Role.OBSERVER));
        }
    }

    private static void withdrawn(Draft draft) {
        draft.standing = draft.standing.campaigning(false);
        switch (draft.role) {
            case CANDIDATE -> draft.become(Role.OBSERVER, Set.of(Role.CANDIDATE));
            case FENCING, LEADER -> draft.end(EndReason.CLOSED, true);
            case OBSERVER, RESIGNING -> {}
        }
        draft.leaveTheList();
    }

    private static void healthChanged(Draft draft, boolean well) {
        draft.standing = draft.standing.well(well);
        if (!well && (draft.role == Role.LEADER || draft.role == Role.FENCING)) {
            draft.end(EndReason.UNHEALTHY);
        }
    }

    /** When something that failed may be tried again. */
    static long later(Draft draft) {
        Duration wait = draft.setup.timing().requestTimeout();
        return draft.now.nanos() + wait.toNanos();
    }
}
