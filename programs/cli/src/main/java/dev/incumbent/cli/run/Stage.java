package dev.incumbent.cli.run;

import dev.incumbent.supervisor.SignalRelay;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How far a run is, where the task, the signals and the main thread meet: it waits, or a term has begun, or the command was started, or there is a
 * verdict. The first verdict stands. What others have for the main thread to do they leave here. Thread-safe.
 */
final class Stage implements SignalRelay.Target {
    private static final int MOST_LEFT_TO_DO = 1_000;
    private static final int HUP = 1;

    private final BlockingQueue<Runnable> toDo = new LinkedBlockingQueue<>();
    private final Duration stopBudget;
    private Optional<Ending> verdict = Optional.empty();
    private boolean closing;
    private boolean everLed;
    private boolean leads;
    private boolean terminated;
    private boolean abandoned;
    private boolean signalledAtEnd;
    private Optional<SupervisedProcess> hook = Optional.empty();
    private Optional<SupervisedProcess> command = Optional.empty();
    private Optional<Ending> held = Optional.empty();

    Stage(Duration stopBudget) {
        this.stopBudget = stopBudget;
    }

    /** A term begins, unless it is too late for that. */
    synchronized boolean begin() {
        if (closing || verdict.isPresent()) {
            return false;
        }
        leads = true;
        everLed = true;
        return true;
    }

    /** The term is over for the task: nothing of the command is left. */
    synchronized void end(boolean isLast) {
        leads = false;
        closing = closing || isLast;
        hook = Optional.empty();
        command = Optional.empty();
        held = Optional.empty();
        signalledAtEnd = false;
    }

    /** Starts a hook, unless there is a verdict. */
    synchronized boolean startHook(SupervisedProcess process) {
        if (verdict.isPresent()) {
            return false;
        }
        hook = Optional.of(process);
        process.start();
        return true;
    }

    /** Starts the command, unless there is a verdict: from now on a signal is its own. */
    synchronized boolean startCommand(SupervisedProcess process) {
        if (verdict.isPresent()) {
            return false;
        }
        hook = Optional.empty();
        command = Optional.of(process);
        process.start();
        return true;
    }

    /** The command has ended so, and the term goes on for a while. A signal that ends a process ends the run now, also one that has come already. */
    synchronized void hold(Ending ending) {
        command = Optional.empty();
        held = Optional.of(ending);
        if (terminated || signalledAtEnd || ending.interrupted()) {
            abandon();
        }
    }

    /** The run is over as its command was, and releases nothing: so the lease keeps others away for as long as it can. */
    private void abandon() {
        abandoned = true;
        conclude(held.orElseThrow());
    }

    /** Is the term left to its lease? */
    synchronized boolean isAbandoned() {
        return abandoned;
    }

    /** No further term is wanted: TERM has come. */
    synchronized boolean isTerminated() {
        return terminated;
    }

    /** Ends the wait, unless a term has begun meanwhile or there is a verdict. */
    synchronized boolean giveUp(Ending ending) {
        boolean waits = !leads && verdict.isEmpty();
        if (waits) {
            conclude(ending);
        }
        return waits;
    }

    synchronized void conclude(Ending ending) {
        if (verdict.isEmpty()) {
            verdict = Optional.of(ending);
            leave(() -> {});
        }
    }

    /** Does it neither lead nor stand again? */
    synchronized boolean isOver() {
        return closing || verdict.isPresent();
    }

    synchronized boolean hasEverLed() {
        return everLed;
    }

    private synchronized Optional<Ending> verdict() {
        return verdict;
    }

    /** Has the main thread do that soon. */
    void leave(Runnable what) {
        toDo.add(what);
    }

    /** Has the main thread tell people something; dropped where it does not keep up. */
    void tell(Runnable what) {
        if (toDo.size() < MOST_LEFT_TO_DO) {
            toDo.add(what);
        }
    }

    /** Does on this thread what is left here, until there is a verdict or the time has come. */
    Optional<Ending> attend(LongSupplier nanos, OptionalLong until) throws InterruptedException {
        while (verdict().isEmpty()) {
            long left = until.isPresent() ? until.getAsLong() - nanos.getAsLong() : Long.MAX_VALUE;
            if (left <= 0) {
                return Optional.empty();
            }
            Runnable next = toDo.poll(left, TimeUnit.NANOSECONDS);
            if (next != null) {
                next.run();
            }
        }
        return verdict();
    }

    /** Does what is left here and will not wait. */
    void clear() {
        for (Runnable next = toDo.poll(); next != null; next = toDo.poll()) {
            next.run();
        }
    }

    @Override
    public synchronized boolean isStarted() {
        return command.isPresent() || held.isPresent();
    }

    @Override
    public synchronized void endBeforeStart(int signal) {
        if (command.isPresent()) {
            command.get().stop(signal, stopBudget); // it was started this very moment
        } else if (held.isPresent()) {
            abandon();
        } else {
            conclude(Ending.signalled(signal));
            hook.ifPresent(SupervisedProcess::kill);
        }
    }

    @Override
    public synchronized void stop(int signal) {
        terminated = true;
        held.ifPresent(ending -> abandon());
        command.ifPresent(running -> running.stop(signal, stopBudget));
    }

    @Override
    public synchronized void kill() {
        command.ifPresent(SupervisedProcess::kill);
    }

    @Override
    public synchronized void pass(int signal) {
        boolean endsAProcess = signal == SignalRelay.INT || signal == HUP;
        if (held.isPresent() && endsAProcess) {
            abandon();
        }
        signalledAtEnd |=
                endsAProcess && command.filter(SupervisedProcess::hasEnded).isPresent();
        command.ifPresent(running -> running.pass(signal));
    }
}
