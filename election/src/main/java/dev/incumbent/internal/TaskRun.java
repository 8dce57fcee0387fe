package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.model.EndReason;
import dev.incumbent.time.Timeline;
import java.util.Optional;

/**
 * One run of a task, on a thread of its own, for one term.
 *
 * <p>Its stop timer shares no thread with renewal: it interrupts the task when validity nears its end, whatever the driver's thread does.
 */
final class TaskRun implements TermRun, Runnable {
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

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public boolean interrupt() {
        thread.interrupt();
        return true;
    }

    /** Sets the stop timer anew. */
    @Override
    public void validityExtended() {
        stopTimer.at(leadership.stopAt());
    }

    @Override
    public void ended(EndReason reason) {
        stopTimer.never();
    }

    private void stopIfDue() {
        if (timeline.nanos() >= leadership.stopAt()) {
            thread.interrupt();
        }
    }

    /** On the task's thread. */
    @Override
    public void run() {
        Optional<Throwable> failure = Optional.empty();
        try {
            task.lead(leadership);
        } catch (Throwable thrown) {
            failure = Optional.of(thrown);
        }
        driver.returned(leadership.term(), "the task", failure);
    }
}
