package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Sorted;
import dev.incumbent.model.Term;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A term that this process has won and not yet left.
 *
 * @param provenAtNanos just before the last request left whose answer named this term
 */
public record Tenure(
        Won won,
        long provenAtNanos,
        Holding holding,
        Sinks sinks,
        Task task,
        Handover handover,
        Ending ending,
        boolean inJeopardy) {
    /**
     * What was won.
     *
     * @param under the lease it was won with
     * @param atNanos when that was told; answers to requests sent before say nothing of it
     */
    public record Won(Term term, LeaseId under, long atNanos) {}

    /**
     * How far those are who may still act in earlier terms.
     *
     * @param asked the terms of those who are being turned off, and until when, in nanoseconds, whatever was begun for it has ended: nothing is vacated before all are answered, or that time is over
     * @param proved those who act no more, and the record does not say so yet
     */
    public record Holding(Map<Long, Long> asked, Map<Long, HolderProof> proved) {
        static final Holding NONE = new Holding(Map.of(), Map.of());

        public Holding {
            asked = Sorted.copyOf(asked);
            proved = Sorted.copyOf(proved);
        }
    }

    /**
     * How far the sinks are.
     *
     * @param raising asked to raise and not yet answered
     * @param raised raised to this term
     * @param behind read below this term, and when: raised again after a later proof
     */
    public record Sinks(Set<SinkId> raising, Set<SinkId> raised, Map<SinkId, Long> behind) {
        static final Sinks NONE = new Sinks(Set.of(), Set.of(), Map.of());

        public Sinks {
            raising = Sorted.copyOf(raising);
            raised = Sorted.copyOf(raised);
            behind = Sorted.copyOf(behind);
        }
    }

    /** The leader's task: nothing of it runs before {@code begun} or after {@code returned}. */
    public record Task(boolean begun, boolean returned, boolean interrupted, long begunAtNanos, Instant begunAt) {
        static final Task NONE = new Task(false, false, false, Step.NEVER, Instant.EPOCH);

        public boolean runs() {
            return begun && !returned;
        }

        Task hasReturned() {
            return new Task(begun, true, interrupted, begunAtNanos, begunAt);
        }

        Task interrupted(boolean is) {
            return new Task(begun, returned, is, begunAtNanos, begunAt);
        }
    }

    /**
     * A transfer: asked for by the leader itself, under way, or given up.
     *
     * @param wished whom the leader itself asked for
     * @param successor for whom the task was interrupted
     * @param requestId the request that it answers; empty for the leader's own wish, {@link #MOVE} where it moves by itself
     * @param deadlineNanos the task has returned by then, or the transfer is given up
     * @param refused the request that was given up, and is to be cleared
     * @param catchUp how far a successor must have come first
     * @param move what the vacate that hands over writes down; after a move by itself that was given up, what is yet to be written down
     */
    public record Handover(
            Optional<CandidateId> wished,
            Optional<CandidateId> successor,
            String requestId,
            long deadlineNanos,
            String refused,
            Optional<CatchUp> catchUp,
            Optional<RankMove> move) {
        /** No request is called so: an id has no blank. */
        static final String MOVE = "a move";

        static final Handover NONE = new Handover(
                Optional.empty(), Optional.empty(), "", Step.NEVER, "", Optional.empty(), Optional.empty());

        /** Wished by the leader itself. */
        Handover wishing(CandidateId whom) {
            return new Handover(
                    Optional.of(whom), successor, requestId, deadlineNanos, refused, Optional.empty(), move);
        }

        /** Is it under way to a better rank, by this process itself? */
        public boolean isMove() {
            return successor.isPresent() && requestId.equals(MOVE);
        }

        /** Does nobody but this process want it? */
        boolean isOwn() {
            return requestId.isEmpty() || requestId.equals(MOVE);
        }

        /** Under way to that successor, with those inputs of the ranks. */
        Handover to(CandidateId next, String request, long deadline, String inputs) {
            Optional<RankMove> noted = Optional.of(RankMove.to(next, inputs));
            return new Handover(Optional.empty(), Optional.of(next), request, deadline, "", Optional.empty(), noted);
        }

        /** Given up. A move that was under way, or is yet to be written down, is written down all the same. */
        Handover refusing(String request) {
            Optional<RankMove> tried = successor.isEmpty() || isMove() ? move : Optional.empty();
            return new Handover(Optional.empty(), Optional.empty(), "", Step.NEVER, request, Optional.empty(), tried);
        }

        Handover moving(Optional<RankMove> next) {
            return new Handover(wished, successor, requestId, deadlineNanos, refused, catchUp, next);
        }

        Handover awaiting(Optional<CatchUp> wait) {
            return new Handover(wished, successor, requestId, deadlineNanos, refused, wait, move);
        }
    }

    /**
     * A successor is waited for until it has come as far as the leader had when the transfer was first considered.
     *
     * @param requestId for which
     * @param untilNanos the transfer is given up then
     * @param askAtNanos the list is not asked for before
     */
    public record CatchUp(String requestId, long position, long untilNanos, long askAtNanos) {}

    /**
     * How the term ends; no reason while it does not.
     *
     * @param asked on request or by its own will: no reason to wait before standing again
     * @param stopByNanos the task has returned by then, or it is stalled
     * @param lapsesAtNanos it was valid until then when its end began, and no answer makes it longer
     */
    public record Ending(
            Optional<EndReason> reason,
            boolean asked,
            long stopByNanos,
            long lapsesAtNanos,
            boolean stalled,
            Optional<Obstacle> obstacle) {
        static final Ending NOT = new Ending(Optional.empty(), false, Step.NEVER, Step.NEVER, false, Optional.empty());

        Ending because(EndReason why, boolean isAsked, long stopBy, long lapsesAt) {
            return new Ending(Optional.of(why), isAsked, stopBy, lapsesAt, stalled, obstacle);
        }

        /** Not valid any more, whatever its task does. */
        Ending lapsed() {
            return new Ending(reason, asked, stopByNanos, Long.MIN_VALUE, stalled, obstacle);
        }

        Ending isStalled() {
            return new Ending(reason, asked, stopByNanos, lapsesAtNanos, true, obstacle);
        }

        Ending met(Obstacle next) {
            return new Ending(reason, asked, stopByNanos, lapsesAtNanos, stalled, Optional.of(next));
        }

        /** Did a mark that no freeze owns stand in the way? Then the vacate heals the coordinator. */
        boolean heals() {
            return obstacle.isPresent() && !(obstacle.get().mark().owner() instanceof MarkOwner.OfFreeze);
        }
    }

    /**
     * What stood in the term's way.
     *
     * @param mark above its own, at a sink
     * @param forgotten the freeze that the coordinator forgot, to be set again
     */
    public record Obstacle(Mark mark, SinkId at, Optional<Freeze> forgotten) {}

    static Tenure won(Term term, LeaseId under, long now, long provenAt) {
        return new Tenure(
                new Won(term, under, now),
                provenAt,
                Holding.NONE,
                Sinks.NONE,
                Task.NONE,
                Handover.NONE,
                Ending.NOT,
                false);
    }

    public Term term() {
        return won.term();
    }

    Tenure proven(long sentAt) {
        return new Tenure(won, Math.max(provenAtNanos, sentAt), holding, sinks, task, handover, ending, inJeopardy);
    }

    Tenure holding(Holding next) {
        return new Tenure(won, provenAtNanos, next, sinks, task, handover, ending, inJeopardy);
    }

    Tenure sinks(Set<SinkId> raising, Set<SinkId> raised, Map<SinkId, Long> behind) {
        return new Tenure(
                won, provenAtNanos, holding, new Sinks(raising, raised, behind), task, handover, ending, inJeopardy);
    }

    Tenure task(Task next) {
        return new Tenure(won, provenAtNanos, holding, sinks, next, handover, ending, inJeopardy);
    }

    Tenure handover(Handover next) {
        return new Tenure(won, provenAtNanos, holding, sinks, task, next, ending, inJeopardy);
    }

    Tenure ending(Ending next) {
        return new Tenure(won, provenAtNanos, holding, sinks, task, handover, next, inJeopardy);
    }

    Tenure inJeopardy(boolean is) {
        return new Tenure(won, provenAtNanos, holding, sinks, task, handover, ending, is);
    }
}
