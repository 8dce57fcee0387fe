package dev.incumbent.agent.owners;

import dev.incumbent.agent.owners.OwnersEffect.Why;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.Optional;

/**
 * The rules of sub-leases. A step lets time end what it has ended, takes the event, then pursues what is owed.
 *
 * <ol>
 *   <li>An answer lets an owner believe that it leads for its time to live at most, and never for longer than the agent's own leadership remains.
 *   <li>The owner counts from when it sent its heartbeat. The agent counts from the answer, whether it arrives or not, and adds the drift of clocks.
 *   <li>An owner that is not heard within its time to live is withdrawn.
 *   <li>A term is given up only once its owner said that its work has stopped, or its sub-lease has passed.
 *   <li>Once a term ends, no answer grants anything in it, whatever the agent's leadership says later.
 *   <li>Each term belongs to one owner, the first in line that was heard since it asked to stand. The next owner gets a new term.
 *   <li>An owner that asked for the watchdog is granted nothing before that guards its work, and only what ends a second before it fires. Unless it says that its
 *       work has stopped, its term is given up only once the watchdog should have fired.
 *   <li>Where former leaders are turned off, a term in which something was granted is given up only once its owner said that its work has stopped, or its process
 *       has ended: an end of the term that only time had shown would take this host off the list of those that may still act.
 * </ol>
 *
 * <p>Pure: no clock, thread or randomness.
 */
public final class OwnersProtocol {
    private OwnersProtocol() {}

    /** Takes one event at a moment. Moments never go back. */
    public static Step<OwnersState, OwnersEffect> step(OwnersState state, OwnersEvent event, Moment now) {
        OwnersDraft draft = new OwnersDraft(state, now.nanos());
        draft.expire();
        take(draft, event);
        draft.pursue();
        return draft.step();
    }

    private static void take(OwnersDraft draft, OwnersEvent event) {
        if (event instanceof OwnersEvent.Asked e) {
            asked(draft, e);
        } else if (event instanceof OwnersEvent.Heard e) {
            draft.claim(e.id());
            draft.hears(e.id());
        } else if (event instanceof OwnersEvent.Stopped e) {
            draft.term(e.id(), e.token()).ifPresent(sub -> draft.put(sub.stops()));
        } else if (event instanceof OwnersEvent.AnswerDue e) {
            answer(draft, e);
        } else if (event instanceof OwnersEvent.Left e) {
            left(draft, e.id());
        } else if (event instanceof OwnersEvent.TermBegan e) {
            began(draft, e.token());
        } else if (event instanceof OwnersEvent.TermEnding e) {
            draft.term.filter(sub -> sub.token() == e.token()).ifPresent(sub -> draft.put(sub.ends()));
        } else if (event instanceof OwnersEvent.Guarded e) {
            draft.term(e.id(), e.token())
                    .ifPresent(sub -> draft.put(sub.under(sub.shield().firesAt(e.firesAtNanos()))));
        } else if (event instanceof OwnersEvent.Unguarded e) {
            draft.term(e.id(), e.token()).ifPresent(sub -> unguarded(draft, sub));
        } else if (event instanceof OwnersEvent.Draining) {
            draft.drains = true;
            draft.term.ifPresent(sub -> draft.put(sub.ends()));
        }
    }

    private static void asked(OwnersDraft draft, OwnersEvent.Asked asked) {
        if (!draft.setup.isTtl(asked.ttlNanos())) {
            draft.emit(new OwnersEffect.Refused(asked.id(), Why.TTL));
        } else if (draft.drains) {
            draft.emit(new OwnersEffect.Refused(asked.id(), Why.DRAINING));
        } else if (draft.line.size() >= draft.setup.mostOwners()) {
            draft.emit(new OwnersEffect.Refused(asked.id(), Why.FULL));
        } else {
            long due = draft.now + draft.setup.waited(asked.ttlNanos());
            draft.line.add(
                    new Owner(asked.id(), asked.name(), asked.ttlNanos(), due, View.WAITS, false, asked.watched()));
            draft.emit(new OwnersEffect.Stands(asked.id()));
        }
    }

    private static void left(OwnersDraft draft, String id) {
        boolean stood = draft.line.removeIf(owner -> owner.id().equals(id));
        draft.term.filter(sub -> sub.owner().equals(id)).ifPresent(sub -> draft.put(sub.stops()));
        draft.emit(stood ? new OwnersEffect.Gone(id) : new OwnersEffect.Unknown(id));
    }

    /** A term that nobody waits for is given up at once, and so is one that begins beside another. */
    private static void began(OwnersDraft draft, long token) {
        Optional<Owner> owner = draft.drains || draft.term.isPresent() ? Optional.empty() : draft.successor();
        owner.ifPresentOrElse(one -> draft.begin(token, one), () -> draft.emit(new OwnersEffect.GiveUp(token)));
    }

    /** Its owner stands no more, and learns why when it asks again. What still guards it fires within the longest time to live. */
    private static void unguarded(OwnersDraft draft, SubLease sub) {
        draft.put(sub.under(sub.shield().firesAt(draft.now + draft.setup.mostTtlNanos()))
                .ends());
        draft.line.removeIf(owner -> owner.id().equals(sub.owner()));
    }

    private static void answer(OwnersDraft draft, OwnersEvent.AnswerDue due) {
        Optional<Owner> known = draft.owner(due.id());
        if (known.isEmpty()) {
            draft.emit(new OwnersEffect.Unknown(due.id()));
            return;
        }
        draft.hears(due.id());
        Optional<SubLease> own = draft.term.filter(sub -> sub.owner().equals(due.id()));
        Shield shield = own.map(SubLease::shield).orElse(Shield.of(false));
        if (!shield.isReady() && own.filter(sub -> !sub.ending()).isPresent()) {
            draft.emit(new OwnersEffect.Waits(due.id(), draft.place(due.id()), 0));
            return;
        }
        long holds = draft.holds(known.get(), shield, due.remainingNanos());
        if (holds > 0 && own.filter(sub -> !sub.ending()).isPresent()) {
            grant(draft, own.get(), holds);
        } else {
            grantNothing(draft, due.id(), own);
        }
    }

    private static void grant(OwnersDraft draft, SubLease own, long holds) {
        draft.put(own.granted(draft.now + draft.setup.waited(holds)));
        draft.tell(own.owner(), View.leads(own.token()));
        draft.emit(new OwnersEffect.Leads(own.owner(), own.token(), holds));
    }

    /** Also ends the owner's term: the agent's leadership does not come back once it has not held. */
    private static void grantNothing(OwnersDraft draft, String id, Optional<SubLease> own) {
        own.ifPresent(sub -> draft.put(sub.ends()));
        draft.tell(id, View.WAITS);
        long ended = own.filter(sub -> !sub.stopped()).map(SubLease::token).orElse(0L);
        draft.emit(new OwnersEffect.Waits(id, draft.place(id), ended));
    }
}
