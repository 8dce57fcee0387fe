package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs the tasks of leaders: each on a thread of its own, or in a world as a state machine. */
public interface TaskRunner {
    /** The run of a task for one term, not started yet. */
    Run of(LeaderTask task, Leadership leadership, Returned returned);

    /** Hears once, on any thread, that the task has returned, or what it threw. */
    @FunctionalInterface
    interface Returned extends Consumer<Optional<Throwable>> {}

    /** One run of a task. */
    interface Run {
        /** Starts it. Throws where no thread can be had; the task has not run then, and will not. */
        void start();

        /** Tells it to stop; any thread, any number of times. */
        void interrupt();
    }
}
