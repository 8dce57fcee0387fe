package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Turns;
import dev.incumbent.protocol.Tenure.CatchUp;
import dev.incumbent.protocol.Tenure.Handover;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a leader owes: to stop in time, to heed requests, and to keep its sinks raised. */
final class Leading {
    private Leading() {}

    /** Lets time end what it has ended: a term whose task must begin to stop is over, whatever is answered later. */
    static void expire(Draft draft) {
        if (draft.role == Role.FENCING || draft.role == Role.LEADER) {
            boolean ending = draft.lease.filter(HeldLease::ending).isPresent();
            if (ending || draft.now.nanos() >= draft.stopAt()) {
                draft.end(EndReason.LEASE_LOST);
            }
        }
    }

    static void pursue(Draft draft) {
        draft.wake(draft.stopAt());
        raiseAgain(draft);
        if (draft.role == Role.LEADER && draft.attempt.isEmpty()) {
            heed(draft);
        }
        if (draft.role == Role.LEADER && draft.attempt.isEmpty()) {
            addAgain(draft);
        }
        if (draft.role == Role.LEADER && draft.attempt.isEmpty()) {
            MoveRules.pursue(draft);
        }
        if (draft.role == Role.LEADER && draft.attempt.isEmpty()) {
            Requiring.pursue(draft);
        }
    }

    /** A store that was restored to between the claim and the adding names this term and lacks its sinks: a freeze would miss them. */
    private static void addAgain(Draft draft) {
        if (draft.record().sinks().keySet().containsAll(draft.setup.sinks().keySet())) {
            return;
        }
        Set<SinkId> lacking = new TreeSet<>(draft.setup.sinks().keySet());
        lacking.removeAll(draft.record().sinks().keySet());
        lacking.removeAll(draft.record().retiredSinks());
        if (!lacking.isEmpty()
                && !draft.record().isFrozen()
                && draft.namesMyTerm(draft.record())
                && draft.isDue(draft.known.notBefore().swapAtNanos())) {
            Raising.addSinks(draft);
        }
    }

    static void jeopardy(Draft draft, boolean is) {
        if (draft.role == Role.LEADER && draft.held().inJeopardy() != is) {
            draft.tenure = Optional.of(draft.held().inJeopardy(is));
            draft.tell(new Notice.Jeopardy(draft.held().term().number(), is));
        }
    }

    /** A sink's mark was read again: behind, it went back; ahead or a freeze's, the term is over. */
    static void markRead(Draft draft, SinkId sink, Optional<Mark> mark, long sentAt) {
        if (draft.role != Role.LEADER || sentAt < draft.held().task().begunAtNanos()) {
            return;
        }
        Mark mine = Mark.of(draft.held().term());
        boolean freeze =
                mark.filter(m -> m.owner() instanceof MarkOwner.OfFreeze).isPresent();
        boolean behind = mark.isEmpty() || mark.get().token().compareTo(mine.token()) < 0;
        if (freeze || (!behind && !mark.get().equals(mine))) {
            Raising.met(draft, sink, mark.orElseThrow());
        } else if (behind && !draft.held().sinks().raising().contains(sink)) {
            Map<SinkId, Long> all = new TreeMap<>(draft.held().sinks().behind());
            all.put(sink, draft.now.nanos());
            draft.tenure = Optional.of(draft.held()
                    .sinks(draft.held().sinks().raising(), draft.held().sinks().raised(), all));
            draft.wantRead();
        }
    }

    /** Raises what is behind, once a proof that was sent after it was read still names this term. */
    private static void raiseAgain(Draft draft) {
        Tenure mine = draft.held();
        if (mine.sinks().behind().isEmpty()) {
            return;
        }
        Map<SinkId, Long> behind = new TreeMap<>(mine.sinks().behind());
        Set<SinkId> raising = new TreeSet<>(mine.sinks().raising());
        mine.sinks().behind().forEach((sink, readAt) -> {
            if (mine.provenAtNanos() >= readAt) {
                behind.remove(sink);
                raising.add(sink);
                draft.emit(new Effect.RaiseMark(sink, Mark.of(mine.term())));
            }
        });
        draft.tenure = Optional.of(mine.sinks(raising, mine.sinks().raised(), behind));
    }

    static void taskReturned(Draft draft, long term, Event.TaskOutcome outcome) {
        if (draft.tenure
                .filter(t -> t.term().number() == term && t.task().runs())
                .isEmpty()) {
            return;
        }
        draft.tenure = Optional.of(draft.held().task(draft.held().task().hasReturned()));
        if (draft.role != Role.LEADER) {
            return;
        }
        switch (outcome) {
            case STALE_TOKEN -> draft.end(EndReason.SUPERSEDED);
            case THREW ->
                draft.end(
                        draft.held().handover().successor().isPresent()
                                ? EndReason.TRANSFERRED
                                : EndReason.TASK_FAILED);
            case RETURNED ->
                draft.end(draft.held().handover().successor().isPresent() ? EndReason.TRANSFERRED : EndReason.RESIGNED);
        }
    }

    static void tokenRefused(Draft draft, long term) {
        if (draft.role == Role.LEADER && draft.held().term().number() == term) {
            draft.end(EndReason.SUPERSEDED);
        }
    }

    static void wish(Draft draft, CandidateId successor) {
        if (draft.role == Role.LEADER && successor.equals(draft.me())) {
            draft.tell(new Notice.TransferAborted(
                    draft.held().term().number(), successor, "it leads already: a transfer goes to another"));
        } else if (draft.role == Role.LEADER) {
            draft.tenure =
                    Optional.of(draft.held().handover(draft.held().handover().wishing(successor)));
            draft.known =
                    draft.known.lined(Optional.empty(), draft.known.questions().listing());
        }
    }

    /** Heeds a request that names this very term, or the leader's own wish. */
    private static void heed(Draft draft) {
        Handover handover = draft.held().handover();
        Optional<Request> request = draft.record()
                .request()
                .filter(r -> r.term() == draft.held().term().number());
        Optional<PlannedTransfer> planned = draft.record().planned();
        if (request.isPresent() && request.get() instanceof Request.Resign) {
            draft.end(EndReason.RESIGNED, true);
        } else if (handover.successor().isPresent()) {
            handOver(draft, request);
        } else if (stands(request, planned, handover.refused())) {
            clear(draft, handover.refused());
        } else if (request.isPresent() && request.get() instanceof Request.TransferTo to) {
            consider(draft, to.successor(), to.id());
        } else if (handover.wished().isPresent()) {
            consider(draft, handover.wished().get(), "");
        } else if (planned.isPresent()) {
            PlanRules.pursue(draft, planned.get());
        }
    }

    /** Is that the id of this request, or of what was planned? */
    private static boolean stands(Optional<Request> request, Optional<PlannedTransfer> planned, String id) {
        return request.filter(one -> one.id().equals(id)).isPresent()
                || planned.filter(one -> one.by().equals(id)).isPresent();
    }

    static void askForTheLine(Draft draft) {
        boolean waits = draft.held()
                .handover()
                .catchUp()
                .filter(wait -> !draft.isDue(wait.askAtNanos()))
                .isPresent();
        if (!waits
                && !draft.known.questions().listing()
                && draft.isDue(draft.known.notBefore().readAtNanos())) {
            draft.emit(new Effect.ListCandidates());
            draft.known = draft.known.lined(Optional.empty(), true);
        }
    }

    static void consider(Draft draft, CandidateId successor, String requestId) {
        if (draft.known.line().isEmpty()) {
            askForTheLine(draft);
            return;
        }
        List<Enlisted> line = draft.known.line().get();
        Optional<Enlisted> found =
                line.stream().filter(e -> e.candidate().id().equals(successor)).findFirst();
        draft.known = draft.known.lined(Optional.empty(), false);
        if (found.isEmpty() || successor.equals(draft.me())) {
            abort(draft, successor, requestId, "it is not among the live candidates");
        } else if (!found.get().sinks().containsAll(draft.record().sinks().keySet())) {
            abort(draft, successor, requestId, "it does not bring every sink");
        } else if (!found.get().supports().containsAll(draft.record().requires())) {
            abort(draft, successor, requestId, "it does not know every feature that the record requires");
        } else if (hasCaughtUp(draft, found.get(), requestId)) {
            begin(draft, successor, requestId, Turns.of(draft.record()).inputs(line));
        }
    }

    /** The task is told to stop, for that successor. What the ranks depend on is noted, so that no move undoes it while that is the same. */
    static void begin(Draft draft, CandidateId successor, String requestId, String inputs) {
        long deadline = draft.now.nanos() + draft.setup.timing().stopLead().toNanos();
        Handover under = draft.held().handover().to(successor, requestId, deadline, inputs);
        draft.tenure = Optional.of(
                draft.held().handover(under).task(draft.held().task().interrupted(true)));
        draft.emit(new Effect.InterruptTask(draft.held().term()));
        draft.wake(deadline);
    }

    /** Has the successor come as far as this leader had when it was first considered? For a lease it is waited for, and asked for again; whoever tells no position is not. */
    private static boolean hasCaughtUp(Draft draft, Enlisted successor, String requestId) {
        long now = draft.now.nanos();
        CatchUp wait = draft.held()
                .handover()
                .catchUp()
                .filter(one -> one.requestId().equals(requestId))
                .orElseGet(() -> new CatchUp(
                        requestId,
                        draft.standing.position().reached(),
                        now + draft.setup.timing().lease().toNanos(),
                        now));
        long theirs = successor.candidate().position().orElse(Long.MAX_VALUE);
        if (theirs >= wait.position()) {
            return true;
        }
        if (draft.isDue(wait.untilNanos())) {
            String why = "it has not caught up: it is at " + theirs + ", and " + wait.position() + " is wanted";
            abort(draft, successor.candidate().id(), requestId, why);
            return false;
        }
        long askAt = now + draft.setup.timing().requestTimeout().toNanos();
        CatchUp next = new CatchUp(requestId, wait.position(), wait.untilNanos(), Math.min(askAt, wait.untilNanos()));
        draft.tenure = Optional.of(draft.held().handover(draft.held().handover().awaiting(Optional.of(next))));
        draft.wake(next.askAtNanos());
        return false;
    }

    /** Waits for the task; gives up if it will not stop in time, or if whoever asked has taken the request back. */
    private static void handOver(Draft draft, Optional<Request> request) {
        Handover handover = draft.held().handover();
        CandidateId successor = handover.successor().orElseThrow();
        boolean takenBack = !handover.isOwn() && !stands(request, draft.record().planned(), handover.requestId());
        if (takenBack) {
            abort(draft, successor, handover.requestId(), "the request was taken back");
        } else if (draft.isDue(handover.deadlineNanos())) {
            abort(draft, successor, handover.requestId(), "the task did not stop in time");
        }
    }

    static void abort(Draft draft, CandidateId successor, String requestId, String why) {
        draft.tenure = Optional.of(draft.held()
                .handover(draft.held().handover().refusing(requestId))
                .task(draft.held().task().interrupted(false)));
        draft.tell(new Notice.TransferAborted(draft.held().term().number(), successor, why));
        if (stands(draft.record().request(), draft.record().planned(), requestId)) {
            clear(draft, requestId);
        }
    }

    /** Takes the request, or what was planned, of that id out of the record. */
    private static void clear(Draft draft, String id) {
        if (draft.isDue(draft.known.notBefore().swapAtNanos())) {
            LeaderRecord record = draft.record();
            draft.swap(
                    Attempt.Kind.CLEAR_REQUEST,
                    record.withRequest(record.request().filter(one -> !one.id().equals(id)))
                            .withoutPlanned(id));
        }
    }
}
