package dev.incumbent.coordinator.peers;

import dev.incumbent.LastResort;
import dev.incumbent.internal.LeaseClock;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One run of a task for one term, and its stop timer, which shares no thread with heartbeats: it interrupts the task when validity nears its end, whatever the driver's thread does. Where the
 * task does not return within its stop budget, the last resort is taken. Thread-safe.
 */
final class PeerTaskRun {
    private final PeerLeadership leadership;
    private final Platform platform;
    private final LeaseClock clock;
    private final Duration stopBudget;
    private final TaskRunner.Run run;
    private final Consumer<Optional<Throwable>> returned;
    // All guarded by this.
    private Optional<Timeline.Alarm> stopAlarm = Optional.empty();
    private Optional<Timeline.Alarm> lastAlarm = Optional.empty();
    private boolean isInterrupted;
    private boolean hasReturned;

    /** {@code returned} hears, on any thread, what the task threw before it was told to stop. */
    PeerTaskRun(
            PeerSetup setup,
            PeerLeadership leadership,
            Platform platform,
            LeaseClock clock,
            Consumer<Optional<Throwable>> returned) {
        this.leadership = leadership;
        this.platform = platform;
        this.clock = clock;
        this.stopBudget = setup.stopBudget();
        this.returned = returned;
        this.run = platform.tasks().of(setup.task().orElseThrow(), leadership, this::ended);
    }

    void start() {
        run.start();
        validityExtended();
    }

    /** Sets the stop timer anew. */
    synchronized void validityExtended() {
        stopAlarm.ifPresent(Timeline.Alarm::cancel);
        long at = leadership.stopAtNanos();
        stopAlarm = hasReturned || isInterrupted || at == Step.NEVER
                ? Optional.empty()
                : Optional.of(platform.stops().at(clock.onTimeline(at), this::stopIfDue));
    }

    /** Interrupts the task where it must have begun to stop. */
    void stopIfDue() {
        if (leadership.isToStop()) {
            interrupt();
        } else {
            validityExtended();
        }
    }

    synchronized void interrupt() {
        if (hasReturned || isInterrupted) {
            return;
        }
        isInterrupted = true;
        run.interrupt();
        platform.taskRules().lastResort().ifPresent(resort -> {
            long at = platform.stops().nanos() + stopBudget.toNanos();
            lastAlarm = Optional.of(platform.stops().at(at, () -> resortTo(resort)));
        });
    }

    private void resortTo(LastResort resort) {
        boolean isStalled;
        synchronized (this) {
            isStalled = !hasReturned;
        }
        if (isStalled) {
            resort.take(leadership.term());
        }
    }

    /** A task that was told to stop may well end in an exception: that is no failure of its own. */
    private void ended(Optional<Throwable> failure) {
        boolean wasTold;
        synchronized (this) {
            hasReturned = true;
            wasTold = isInterrupted;
            stopAlarm.ifPresent(Timeline.Alarm::cancel);
            lastAlarm.ifPresent(Timeline.Alarm::cancel);
        }
        returned.accept(wasTold ? Optional.empty() : failure);
    }
}
