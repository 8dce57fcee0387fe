package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.calls.Call;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;

/**
 * One call of the SPI on its way: the requests that it takes, one after another on a lane's thread, within one bound. It may have applied while a write is in doubt:
 * one that was sent, and of which nobody said that it has not applied.
 */
final class TableCall<T> extends Call<T> {
    private final Work<T> work;
    private final Timeline timeline;

    /** Belongs to the thread that does the work. */
    private int writesInDoubt;

    TableCall(Work<T> work, Timeline timeline, long boundNanos) {
        super(true, boundNanos);
        this.work = work;
        this.timeline = timeline;
    }

    /** The requests of a call, which may block. */
    interface Work<T> {
        T in(TableCall<?> call);
    }

    /** Does the work, and returns what ends the call. */
    Runnable outcome() {
        try {
            T value = work.in(this);
            return () -> answer(value);
        } catch (CoordinatorException told) {
            return () -> fail(told);
        } catch (RuntimeException unexpected) {
            String why = "what DynamoDB answered is not understood: " + unexpected;
            return () ->
                    fail(why, (what, mayHaveApplied) -> new CoordinatorException(what, mayHaveApplied, unexpected));
        }
    }

    long leftNanos() {
        return deadlineNanos() - timeline.nanos();
    }

    boolean isTooLate() {
        return isOver() || leftNanos() <= 0;
    }

    /** To be asked right before a write is sent. False if the call is over: then the write must not be. */
    boolean sendWrite() {
        boolean isOpen = writesInDoubt > 0 ? !isOver() : send();
        if (isOpen) {
            writesInDoubt++;
        }
        return isOpen;
    }

    /** It is known that a write has not applied. */
    void takeBackWrite() {
        writesInDoubt--;
        if (writesInDoubt == 0) {
            takeBack();
        }
    }
}
