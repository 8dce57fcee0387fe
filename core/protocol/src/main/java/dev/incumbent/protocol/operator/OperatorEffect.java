package dev.incumbent.protocol.operator;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Revision;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;

/** What an operation asks its driver to do; each question is answered by exactly one event. */
public sealed interface OperatorEffect {
    void performBy(OperatorDriver driver);

    /** Read the record. */
    record ReadRecord(String question) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.readRecord(question);
        }
    }

    /** Read who is enlisted. */
    record ReadCandidates(String question) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.readCandidates(question);
        }
    }

    /** Watch the record until the operation is over. */
    record WatchRecord() implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.watchRecord();
        }
    }

    /** Write {@code next} if the revision is still {@code expected}; its nonce names the question. */
    record SwapRecord(Revision expected, LeaderRecord next) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.swapRecord(expected, next);
        }
    }

    /** Read the id and the mark of a given sink. */
    record ReadMark(int sink) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.readMark(sink);
        }
    }

    /** Raise a given sink. */
    record RaiseMark(int sink, Mark mark) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.raiseMark(sink, mark);
        }
    }

    /** Tell whoever waits how far it is. */
    record Tell(Progress progress) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.tell(progress);
        }
    }

    /** The operation is over; the last effect of each. */
    record Conclude(OperatorOutcome outcome) implements OperatorEffect {
        @Override
        public void performBy(OperatorDriver driver) {
            driver.conclude(outcome);
        }
    }
}
