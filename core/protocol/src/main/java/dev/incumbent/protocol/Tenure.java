package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
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
 * @param under the lease it was won with
 * @param wonAtNanos when that was told; answers to requests sent before say nothing of it
 * @param provenAtNanos just before the last request left whose answer named this term
 * @param raising sinks asked to raise and not yet answered
 * @param raised sinks raised to this term
 * @param behind sinks that were read below this term, and when: raised again after a later proof
 */
public record Tenure(
        Term term,
        LeaseId under,
        long wonAtNanos,
        long provenAtNanos,
        Set<SinkId> raising,
        Set<SinkId> raised,
        Map<SinkId, Long> behind,
        Task task,
        Handover handover,
        Ending ending,
        boolean inJeopardy) {

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
     * @param requestId the request that it answers; empty for the leader's own wish
     * @param deadlineNanos the task has returned by then, or the transfer is given up
     * @param refused the request that was given up, and is to be cleared
     */
    public record Handover(
            Optional<CandidateId> wished,
            Optional<CandidateId> successor,
            String requestId,
            long deadlineNanos,
            String refused) {
        static final Handover NONE = new Handover(Optional.empty(), Optional.empty(), "", Step.NEVER, "");
    }

    /**
     * How the term ends; no reason while it does not.
     *
     * @param asked on request or by its own will: no reason to wait before standing again
     * @param stopByNanos the task has returned by then, or it is stalled
     * @param lapsesAtNanos it was valid until then when its end began, and no answer makes it longer
     * @param met the mark that stood in its way, and where
     * @param flag the freeze that the coordinator forgot, to be set again
     */
    public record Ending(
            Optional<EndReason> reason,
            boolean asked,
            long stopByNanos,
            long lapsesAtNanos,
            boolean stalled,
            Optional<Mark> met,
            Optional<SinkId> metAt,
            Optional<Freeze> flag) {
        static final Ending NOT = new Ending(
                Optional.empty(),
                false,
                Step.NEVER,
                Step.NEVER,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        Ending because(EndReason why, boolean isAsked, long stopBy, long lapsesAt) {
            return new Ending(Optional.of(why), isAsked, stopBy, lapsesAt, stalled, met, metAt, flag);
        }

        /** Not valid any more, whatever its task does. */
        Ending lapsed() {
            return new Ending(reason, asked, stopByNanos, Long.MIN_VALUE, stalled, met, metAt, flag);
        }

        Ending isStalled() {
            return new Ending(reason, asked, stopByNanos, lapsesAtNanos, true, met, metAt, flag);
        }

        Ending met(Mark mark, SinkId where, Optional<Freeze> forgotten) {
            return new Ending(
                    reason,
                    asked,
                    stopByNanos,
                    lapsesAtNanos,
                    stalled,
                    Optional.of(mark),
                    Optional.of(where),
                    forgotten);
        }

        /** Did a mark that no freeze owns stand in the way? Then the vacate heals the coordinator. */
        boolean heals() {
            return met.isPresent() && !(met.get().owner() instanceof dev.incumbent.model.MarkOwner.OfFreeze);
        }
    }

    public Tenure {
        raising = Sorted.copyOf(raising);
        raised = Sorted.copyOf(raised);
        behind = Sorted.copyOf(behind);
    }

    static Tenure won(Term term, LeaseId under, long now, long provenAt) {
        return new Tenure(
                term, under, now, provenAt, Set.of(), Set.of(), Map.of(), Task.NONE, Handover.NONE, Ending.NOT, false);
    }

    Tenure proven(long sentAt) {
        return new Tenure(
                term,
                under,
                wonAtNanos,
                Math.max(provenAtNanos, sentAt),
                raising,
                raised,
                behind,
                task,
                handover,
                ending,
                inJeopardy);
    }

    Tenure sinks(Set<SinkId> nowRaising, Set<SinkId> nowRaised, Map<SinkId, Long> nowBehind) {
        return new Tenure(
                term,
                under,
                wonAtNanos,
                provenAtNanos,
                nowRaising,
                nowRaised,
                nowBehind,
                task,
                handover,
                ending,
                inJeopardy);
    }

    Tenure task(Task next) {
        return new Tenure(
                term, under, wonAtNanos, provenAtNanos, raising, raised, behind, next, handover, ending, inJeopardy);
    }

    Tenure handover(Handover next) {
        return new Tenure(
                term, under, wonAtNanos, provenAtNanos, raising, raised, behind, task, next, ending, inJeopardy);
    }

    Tenure ending(Ending next) {
        return new Tenure(
                term, under, wonAtNanos, provenAtNanos, raising, raised, behind, task, handover, next, inJeopardy);
    }

    Tenure inJeopardy(boolean is) {
        return new Tenure(term, under, wonAtNanos, provenAtNanos, raising, raised, behind, task, handover, ending, is);
    }
}
