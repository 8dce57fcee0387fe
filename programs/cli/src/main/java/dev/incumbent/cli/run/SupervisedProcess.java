package dev.incumbent.cli.run;

import dev.incumbent.Leadership;
import dev.incumbent.supervisor.LaunchSpec;
import dev.incumbent.supervisor.RunOutcome;
import dev.incumbent.supervisor.Supervisor;
import dev.incumbent.supervisor.SupervisorEvent;
import dev.incumbent.supervisor.SupervisorUnavailableException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * One command under its supervisor: alive only while it is vouched for, by a leadership's validity or for a fixed time, and over only when all its
 * descendants are gone. Thread-safe.
 */
final class SupervisedProcess {
    private final Timeline timeline;
    private final Launchpad pad;
    private final long killReserveNanos;
    private final Supervisor supervisor;
    private final int stopSignal;
    private final CompletableFuture<Void> vouched = new CompletableFuture<>();
    private final CompletableFuture<End> over = new CompletableFuture<>();
    private volatile RunOutcome outcome = RunOutcome.none();

    /**
     * How it ended.
     *
     * @param cause why, as the supervisor told; empty where that died
     * @param interrupted whether the thread that waited was told to end it
     */
    record End(RunOutcome outcome, Optional<SupervisorEvent.Cause> cause, boolean interrupted) {
        /** The leadership ended first: the command was still running, or had not been started. One that ended by itself before any order reached it is none. */
        boolean isLeadershipEnded() {
            if (outcome.command() instanceof RunOutcome.CommandEnd.NotExecuted) {
                return false;
            }
            return outcome.end() == RunOutcome.End.LAPSED
                    || (interrupted && !cause.equals(Optional.of(SupervisorEvent.Cause.SELF)));
        }

        /** For lack of processes, memory or open files, which may pass. */
        boolean isForLack() {
            return outcome.command() instanceof RunOutcome.CommandEnd.NotExecuted failed && failed.isForLack();
        }

        boolean isSuccess() {
            return outcome.childCode().orElse(1) == 0 && outcome.end() == RunOutcome.End.GONE;
        }
    }

    SupervisedProcess(Launchpad pad, LaunchSpec spec) throws SupervisorUnavailableException {
        this.pad = pad;
        this.timeline = pad.timeline();
        this.killReserveNanos = spec.killReserve().toNanos();
        this.stopSignal = spec.stopSignal();
        this.supervisor = pad.launch(spec, this::heard);
    }

    /** Comes from the supervisor's own thread, one at a time. */
    private void heard(SupervisorEvent event) {
        outcome = outcome.after(event);
        if (event instanceof SupervisorEvent.Refused) {
            supervisor.kill(); // it goes on, and is of no use
        } else if (event instanceof SupervisorEvent.Gone gone) {
            over.complete(new End(outcome, Optional.of(gone.cause()), false));
        } else if (event instanceof SupervisorEvent.Died) {
            over.complete(new End(outcome, Optional.empty(), false));
        } else {
            pad.tell(event);
        }
    }

    /** As long as the leadership is valid. */
    void vouchBy(Leadership leadership) {
        leadership.onRenewed(validity ->
                vouch(validity.sentAtNanos(), validity.stopAtNanos(), validity.untilNanos() - killReserveNanos));
    }

    /** From now on for so long. */
    void vouchFor(Duration bound) {
        long now = timeline.nanos();
        vouch(now, now + bound.toNanos(), now + bound.toNanos());
    }

    private void vouch(long sentAt, long stopAt, long killAt) {
        if (supervisor.lease(sentAt, stopAt, killAt)) {
            vouched.complete(null);
        }
    }

    /** For whoever decides that it may start. */
    void start() {
        supervisor.start();
    }

    /** Ends it by that signal, and by KILL what is left after the budget. */
    void stop(int signal, Duration budget) {
        supervisor.stop(signal, timeline.nanos() + budget.toNanos());
    }

    void kill() {
        supervisor.kill();
    }

    void pass(int signal) {
        supervisor.signal(signal);
    }

    /** Whether the command has ended, so that no signal reaches it: what it left behind is ended now. */
    boolean hasEnded() {
        return !(outcome.command() instanceof RunOutcome.CommandEnd.None);
    }

    /**
     * Starts it once it is vouched for, if it may start, and waits until nothing of it is left. An interrupt of this thread stops it, with the budget;
     * the wait goes on until all are gone.
     */
    End runToItsEnd(BooleanSupplier starting, Duration budget) {
        boolean interrupted = false;
        try {
            CompletableFuture.anyOf(vouched, over).get();
            if (!over.isDone() && !starting.getAsBoolean()) {
                kill();
            }
            over.get();
        } catch (InterruptedException leadershipIsOver) {
            interrupted = true;
            stop(stopSignal, budget);
            over.join();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            supervisor.close(); // whatever went wrong here, nothing is let go before all are gone
        }
        End end = over.join();
        return new End(end.outcome(), end.cause(), interrupted);
    }
}
