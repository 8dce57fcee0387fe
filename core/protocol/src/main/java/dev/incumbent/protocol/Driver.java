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

/** Who performs the effects of one election. Implemented above; no call may block or step the machine again before it returns. */
public interface Driver {
    void readRecord();

    void swapRecord(Revision expected, LeaderRecord next);

    void enlist(Enlisted candidate, boolean atEnd);

    void withdraw(CandidateId candidate);

    void listCandidates();

    void raise(SinkId sink, Mark mark);

    void readMark(SinkId sink);

    void fenceHolder(Holder holder, long untilNanos);

    void beginTerm(Term term, Optional<PastTerm> previous);

    void interruptTask(Term term);

    void endTerm(Term term, EndReason reason);

    void endSession();

    void tell(Notice notice);
}
