package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.protocol.Event.TaskOutcome;
import dev.incumbent.time.Timeline;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * One run of a task, on a thread of its own, for one term.
 *
 * <p>Its stop timer shares no thread with renewal: it interrupts the task when validity nears its end, whatever the driver's thread does.
 */
final class TaskRun {
    private final CurrentLeadership leadership;
    private final Timeline timeline;
    private final Thread thread;
    private Optional<Timeline.Alarm> stopTimer = Optional.empty();

    /** {@code returned} hears the outcome, and the failure where there was one, on the task's thread. */
    TaskRun(
            LeaderTask task,
            CurrentLeadership leadership,
            Timeline timeline,
            BiConsumer<TaskOutcome, Optional<Throwable>> returned) {
        this.leadership = leadership;
        this.timeline = timeline;
        this.thread = TaskThreads.unstarted(
                "incumbent-task-" + leadership.term().election(), () -> run(task, leadership, returned));
    }

    void start() {
        thread.start();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Sets the stop timer anew. Called on the driver's thread. */
    void validityExtended() {
        stopTimer.ifPresent(Timeline.Alarm::cancel);
        stopTimer = Optional.of(timeline.at(leadership.stopAt(), this::stopIfDue));
    }

    void returned() {
        stopTimer.ifPresent(Timeline.Alarm::cancel);
    }

    private void stopIfDue() {
        if (timeline.nanos() >= leadership.stopAt()) {
            interrupt();
        }
    }

    private static void run(
            LeaderTask task, CurrentLeadership leadership, BiConsumer<TaskOutcome, Optional<Throwable>> returned) {
        TaskOutcome outcome = TaskOutcome.THREW;
        Optional<Throwable> failure = Optional.empty();
        try {
            task.lead(leadership);
            outcome = TaskOutcome.RETURNED;
        } catch (StaleTokenException stale) {
            outcome = TaskOutcome.STALE_TOKEN;
            failure = Optional.of(stale);
        } catch (Throwable thrown) {
            failure = Optional.of(thrown);
        } finally {
            returned.accept(outcome, failure);
        }
    }
}
