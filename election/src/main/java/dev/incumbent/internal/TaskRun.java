package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.protocol.Event.TaskOutcome;
import dev.incumbent.time.Timeline;
import java.util.Optional;

/**
 * One run of a task, on a thread of its own, for one term.
 *
 * <p>Its stop timer shares no thread with renewal: it interrupts the task when validity nears its end, whatever the driver's thread does.
 */
final class TaskRun implements Runnable {
    private final LeaderTask task;
    private final CurrentLeadership leadership;
    private final ElectionDriver driver;
    private final Timeline timeline;
    private final Wakes.Wake stopTimer;
    private final Thread thread;

    /** The driver hears the outcome, and the failure where there was one, on the task's thread. */
    TaskRun(LeaderTask task, CurrentLeadership leadership, ElectionDriver driver, Ports ports) {
        this.task = task;
        this.leadership = leadership;
        this.driver = driver;
        this.timeline = ports.timeline();
        this.stopTimer = ports.stops().of(this::stopIfDue);
        this.thread =
                TaskThreads.unstarted("incumbent-task-" + leadership.term().election(), this);
    }

    void start() {
        thread.start();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Sets the stop timer anew. Called on the driver's thread. */
    void validityExtended() {
        stopTimer.at(leadership.stopAt());
    }

    void returned() {
        stopTimer.never();
    }

    private void stopIfDue() {
        if (timeline.nanos() >= leadership.stopAt()) {
            interrupt();
        }
    }

    /** On the task's thread. */
    @Override
    public void run() {
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
            driver.taskReturned(leadership.term(), outcome, failure);
        }
    }
}
