package dev.incumbent.internal.operator;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.MissingClass;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.operator.OperatorEvent;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** What a coordinator or a sink answered, as an operation's event. */
final class Heard {
    private Heard() {}

    static OperatorEvent reading(String question, Optional<Reading> told) {
        if (told.isEmpty()) {
            return new OperatorEvent.Unanswered(question, "the coordinator left the election out of its answer");
        }
        Reading reading = told.get();
        if (reading instanceof Reading.Found found) {
            return new OperatorEvent.RecordRead(question, found.record());
        }
        if (reading instanceof Reading.Unread unread) {
            return new OperatorEvent.Unanswered(question, unread.why());
        }
        if (reading instanceof Reading.Foreign foreign) {
            return new OperatorEvent.Unusable(question, foreign.why());
        }
        return new OperatorEvent.RecordRead(question, ObservedRecord.ABSENT);
    }

    static OperatorEvent failedRead(String question, Throwable failure) {
        if (cause(failure) instanceof CoordinatorUnusableException) {
            return new OperatorEvent.Unusable(question, why(failure));
        }
        return MissingClass.behind(failure)
                .<OperatorEvent>map(missing -> new OperatorEvent.Unusable(question, why(missing)))
                .orElseGet(() -> new OperatorEvent.Unanswered(question, why(failure)));
    }

    static OperatorEvent swapped(String nonce, Swap swap) {
        return swap instanceof Swap.Accepted
                ? new OperatorEvent.SwapAccepted(nonce)
                : new OperatorEvent.SwapRefused(nonce);
    }

    /** A failure that does not say otherwise may have applied. */
    static OperatorEvent failedSwap(String nonce, Throwable failure) {
        return cause(failure) instanceof CoordinatorException told && !told.mayHaveApplied()
                ? failedRead(nonce, failure)
                : new OperatorEvent.SwapUncertain(nonce, why(failure));
    }

    static OperatorEvent raised(int sink, Mark asked, Raise raise) {
        if (raise instanceof Raise.Raised raised) {
            return new OperatorEvent.MarkRaised(sink, raised.inForce());
        }
        if (raise instanceof Raise.Refused refused) {
            return new OperatorEvent.RaiseRefused(sink, asked, refused.inForce());
        }
        return new OperatorEvent.RaiseTooFar(sink, asked, ((Raise.TooFar) raise).from());
    }

    static String why(Throwable failure) {
        Throwable cause = cause(failure);
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
