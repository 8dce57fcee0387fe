package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Holder;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.util.Optional;

/** What one election of one process wants done, in the order given. Effects that ask are answered by one {@link Event} each. */
public sealed interface Effect {
    void performBy(Driver driver);

    /** Asks for the record; answered by RecordObserved or RecordUnread. */
    record ReadRecord() implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.readRecord();
        }
    }

    /** Swaps the record; answered by SwapAccepted, SwapRefused, SwapUncertain or SwapFailed with {@code next}'s nonce. */
    record SwapRecord(Revision expected, LeaderRecord next) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.swapRecord(expected, next);
        }
    }

    /** Enlists this candidate, at the end or in its place; answered by CandidateEnlisted or EnlistFailed. */
    record EnlistCandidate(Enlisted candidate, boolean atEnd) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.enlist(candidate, atEnd);
        }
    }

    /** Takes this candidate off the list; not answered. */
    record WithdrawCandidate(CandidateId candidate) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.withdraw(candidate);
        }
    }

    /** Asks for the candidates; answered by CandidatesListed or CandidatesUnlisted. */
    record ListCandidates() implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.listCandidates();
        }
    }

    /** Raises one sink; answered by MarkRaised, MarkRefused or MarkUnraised. */
    record RaiseMark(SinkId sink, Mark mark) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.raise(sink, mark);
        }
    }

    /** Asks one sink for its mark; answered by MarkRead or MarkUnread. */
    record ReadMark(SinkId sink) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.readMark(sink);
        }
    }

    /**
     * Has that holder turned off and seen off, or otherwise proved gone; answered by HolderFenced or HolderUnfenced. Whatever is begun for it has ended at {@code untilNanos}, be it by a kill, for
     * until then the guard holds: so an agent starts only if all of its time is left.
     */
    record FenceHolder(Holder holder, long untilNanos) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.fenceHolder(holder, untilNanos);
        }
    }

    /** The task of a term may run from now on; answered, however it ends, by TaskReturned. */
    record BeginTerm(Term term, Optional<PastTerm> previous) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.beginTerm(term, previous);
        }
    }

    /** The task of a term must stop: its guard, or for a transfer its leader, wants no more work. */
    record InterruptTask(Term term) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.interruptTask(term);
        }
    }

    /** A term that began is over: told exactly once, and before the next begins. */
    record EndTerm(Term term, EndReason reason) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.endTerm(term, reason);
        }
    }

    /** The session must end, since a task will not stop and its lease would be kept for ever. */
    record EndSession() implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.endSession();
        }
    }

    /** Something that people and health should hear of. */
    record Tell(Notice notice) implements Effect {
        @Override
        public void performBy(Driver driver) {
            driver.tell(notice);
        }
    }
}
