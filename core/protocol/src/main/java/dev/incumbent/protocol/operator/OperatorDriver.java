package dev.incumbent.protocol.operator;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Revision;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;

/** Who performs the effects of one operation, and brings back what came of them as events. */
public interface OperatorDriver {
    void readRecord(String question);

    void readCandidates(String question);

    void watchRecord();

    void swapRecord(Revision expected, LeaderRecord next);

    void readMark(int sink);

    void raiseMark(int sink, Mark mark);

    void tell(Progress progress);

    void conclude(OperatorOutcome outcome);
}
