package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.model.EndReason;
import java.util.Optional;

/**
 * One run of a task for one term, and its stop timer, which shares no thread with renewal: it interrupts the task when validity nears its end, whatever the
 * driver's strand does. If the process has a last resort, that is taken where the task does not return.
 */
final class TaskRun implements TermRun {
    private final CurrentLeadership leadership;
    private final ElectionDriver driver;
    private final Wakes.Wake stopTimer;
    private final Optional<StallTimer> stallTimer;
    private final TaskRunner.Run run;
    private volatile boolean interrupted;

    TaskRun(LeaderTask task, CurrentLeadership leadership, ElectionDriver driver, Ports ports) {
        this.leadership = leadership;
        this.driver = driver;
        this.stopTimer = ports.stops().of(this::stopIfDue);
        this.stallTimer = ports.platform()
                .taskRules()
                .lastResort()
                .map(resort ->
                        new StallTimer(leadership, resort, driver.timing().stopBudget(), ports));
        this.run = ports.platform().tasks().of(task, leadership, this::returned);
    }

    @Override
    public void start() {
        run.start();
    }

    @Override
    public boolean interrupt() {
        interrupted = true;
        stallTimer.ifPresent(StallTimer::toldToStop);
        run.interrupt();
        return true;
    }

    /** Sets the stop timer anew. */
    @Override
    public void validityExtended() {
        stopTimer.at(leadership.stopAtOnTimeline());
    }

    @Override
    public void ended(EndReason reason) {
        stopTimer.never();
    }

    private void stopIfDue() {
        if (leadership.isToStop()) {
            interrupt();
        } else {
            validityExtended();
        }
    }

    /** A task that was told to stop may well end in an exception: that is no failure of its own. */
    private void returned(Optional<Throwable> failure) {
        stallTimer.ifPresent(StallTimer::returned);
        driver.returned(leadership.term(), "the task", failure, failure.isPresent() && !interrupted);
    }
}
