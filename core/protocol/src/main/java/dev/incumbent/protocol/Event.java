package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What has happened to one election of one process. Every effect that asks is answered by exactly one event, be it that nothing is known.
 *
 * <p>{@code sentAtNanos} is the clock just before the request left that is answered; an answer speaks only of what was so after that.
 */
public sealed interface Event {
    /** The process stands from now on. */
    record Campaigned() implements Event {}

    /** The process stands no longer; a term it holds ends. */
    record Withdrawn() implements Event {}

    /** The session has a new lease, valid from {@code sentAtNanos} for what {@code timeToLive} allows. */
    record LeaseGranted(LeaseId lease, Duration timeToLive, long sentAtNanos) implements Event {}

    /** The session's lease was kept alive. */
    record LeaseRenewed(LeaseId lease, long sentAtNanos) implements Event {}

    /** A keep-alive was not answered in time: jeopardy. */
    record RenewalMissed() implements Event {}

    /** The session's lease is dead, or will not be renewed any more and has run out. */
    record LeaseLost(LeaseId lease) implements Event {}

    /** The session stops renewing because a task of another election will not stop. */
    record SessionEnding() implements Event {}

    /** A read has told the record; an election never written is {@link ObservedRecord#ABSENT}. */
    record RecordObserved(ObservedRecord observed, long sentAtNanos) implements Event {}

    /** A read did not tell the record. */
    record RecordUnread(String why) implements Event {}

    /** The watch has told the record: a reason to look, never a proof. */
    record RecordChanged(ObservedRecord observed) implements Event {}

    /** The watch may have missed something. */
    record WatchGapped() implements Event {}

    /** The store's word that what the watch told last is current as of {@code sentAtNanos}. */
    record WatchProved(long sentAtNanos) implements Event {}

    /** This process is enlisted. */
    record CandidateEnlisted() implements Event {}

    /** It is not, or that is unknown. */
    record EnlistFailed(String why) implements Event {}

    /** The candidates in the order of enlisting. */
    record CandidatesListed(List<Enlisted> candidates, long sentAtNanos) implements Event {
        public CandidatesListed {
            candidates = List.copyOf(candidates);
        }
    }

    /** The candidates could not be listed. */
    record CandidatesUnlisted(String why) implements Event {}

    /** The swap that writes {@code nonce} was accepted. */
    record SwapAccepted(String nonce, Revision revision) implements Event {}

    /** It was refused, or so it says: an earlier sending may have won. */
    record SwapRefused(String nonce, Optional<ObservedRecord> current) implements Event {}

    /** It may have applied, or may yet. */
    record SwapUncertain(String nonce) implements Event {}

    /** It surely did not apply, and never will. */
    record SwapFailed(String nonce) implements Event {}

    /** A sink was raised to the mark asked for. */
    record MarkRaised(SinkId sink, Mark mark) implements Event {}

    /** Another mark stands in the way at a sink. */
    record MarkRefused(SinkId sink, Mark asked, Mark inForce) implements Event {}

    /** A sink was not reached, or not in time, or the raise was too far. */
    record MarkUnraised(SinkId sink, Mark asked, String why) implements Event {}

    /** A sink has told its mark: to who leads beside its keep-alives, to who suspects the leader because it asked. */
    record MarkRead(SinkId sink, Optional<Mark> mark, long sentAtNanos) implements Event {}

    /** A sink that was asked for its mark has not told it. */
    record MarkUnread(SinkId sink, String why, long sentAtNanos) implements Event {}

    /** The holder of that term acts no more: so that proof says. */
    record HolderFenced(long term, HolderProof proof) implements Event {}

    /** That was not shown, or not in time; what was begun for it has ended. */
    record HolderUnfenced(long term, String why) implements Event {}

    /** The task of a term has returned; it does nothing any more. */
    record TaskReturned(long term, TaskOutcome outcome) implements Event {}

    /** A sink has told the task of a term that its token is stale. */
    record TokenRefused(long term) implements Event {}

    /** The process itself wants to give up the term it leads. */
    record ResignAsked() implements Event {}

    /** The process itself wants to hand over the term it leads. */
    record TransferAsked(CandidateId successor) implements Event {}

    /** The process is well, or unwell. */
    record HealthChanged(boolean well) implements Event {}

    /** Its program has come so far, such as a replica to an offset; from 0 on. */
    record PositionReached(long position) implements Event {}

    /** The process leads about so many elections, or is about to; told where it is one of those that spread. */
    record ElectionsLed(long elections) implements Event {}

    /** That process was itself heard to lead that term, or to claim it. */
    record LeaderHeard(CandidateId leader, long term) implements Event {}

    /** That process, which told that it leads that term, is suspected to be gone, although its lease may live. */
    record LeaderSuspected(CandidateId leader, long term) implements Event {}

    /** The time that the machine asked to be woken at has come, or anybody thought so. */
    record Woken() implements Event {}

    /** How a task returned. */
    enum TaskOutcome {
        RETURNED,
        THREW,
        STALE_TOKEN
    }
}
