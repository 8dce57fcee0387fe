package dev.incumbent.internal;

import dev.incumbent.Trace;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.model.CandidateId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * What one process's elections run on: real threads and clocks in production, one event at a time in a simulated world. The drivers know no other thread, clock
 * or wait.
 */
public interface Platform {
    /** The clocks, and the alarms that wake the machines. */
    Timeline timeline();

    /** The alarms that stop tasks; they share no thread with renewal. */
    Timeline stops();

    /**
     * Compares the clocks that often, by an alarm of {@link #stops()}, until {@code compare} says that this is over. Where a platform knows that its clocks have run
     * alike since the last comparison, it may leave one out.
     */
    default void watchTheClocks(Duration every, BooleanSupplier compare) {
        Timeline stops = stops();
        stops.at(stops.nanos() + every.toNanos(), () -> {
            if (compare.getAsBoolean()) {
                watchTheClocks(every, compare);
            }
        });
    }

    /** The strand that owns the state of all elections; {@code whenIdle} runs on it whenever nothing else waits. */
    Strand strand(Runnable whenIdle, Trace trace);

    /** Runs user code, many pieces side by side; each may block. */
    Executor userCode();

    TaskRunner tasks();

    default TaskRules taskRules() {
        return TaskRules.DEFAULT;
    }

    /** The connections by which that candidate is heard and hears others, closed with its elections; empty where leaders are not heard. */
    default Optional<BeatTransport> beats(CandidateId me) {
        return Optional.empty();
    }

    default Machines machines() {
        return Machines.SHIPPED;
    }

    /** Waits until it is done, for that long at the most; not on a thread of ours, nor on a task's. An interrupt ends the wait and stays set. */
    void await(CompletionStage<?> done, Duration bound);

    /** Ends what was begun for these elections alone, once what was given to it has run. */
    void close();
}
