package dev.incumbent.spring;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The methods of one election that run in its present term: the election's task. It lasts as long as the term may, and then until the last method has returned. So the
 * library vacates no record under a running method, unless its stop budget is over.
 *
 * <p>Thread-safe: its monitor guards all of it, and is held for no call of foreign code.
 */
final class TermWork implements LeaderTask {
    private final Set<Run> running = new LinkedHashSet<>();
    private Optional<Leadership> open = Optional.empty();
    /** The token of the last term whose task began. */
    private long lastOpened;

    /** One method on its thread. Two of them are never equal. */
    final class Run {
        private final Leadership leadership;
        private final Thread thread = Thread.currentThread();
        private boolean isToldToStop;

        private Run(Leadership leadership) {
            this.leadership = leadership;
        }

        Leadership leadership() {
            return leadership;
        }

        /** The method has returned. The interrupt that told it to stop is not left to whatever its thread does next. */
        void end() {
            synchronized (TermWork.this) {
                running.remove(this);
                if (isToldToStop) {
                    Thread.interrupted();
                }
                TermWork.this.notifyAll();
            }
        }
    }

    /** Lets methods in until it is interrupted, and then waits for those that run. */
    @Override
    public void lead(Leadership leadership) {
        open(leadership);
        try {
            awaitTheEnd();
        } catch (InterruptedException toldToStop) {
            awaitWhoRuns();
        }
    }

    /** This thread begins a method in that term, once its task has begun; empty if the term ends before, or is told to. */
    Optional<Run> begin(Leadership leadership) {
        try {
            awaitBegun(leadership);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return begun();
    }

    private synchronized Optional<Run> begun() {
        if (!open.map(Leadership::holds).orElse(false)) {
            return Optional.empty();
        }
        Run run = new Run(open.get());
        running.add(run);
        return Optional.of(run);
    }

    private synchronized void open(Leadership leadership) {
        open = Optional.of(leadership);
        lastOpened = leadership.token().value();
        notifyAll();
    }

    /** Waits until methods are let in during that term, or until it has ended: whoever hears of a term may call a method of it at once. */
    void awaitBegun(Leadership leadership) throws InterruptedException {
        if (hasBegun(leadership)) {
            return;
        }
        leadership.ended().thenRun(this::wake);
        synchronized (this) {
            while (!hasBegun(leadership) && leadership.holds()) {
                wait();
            }
        }
    }

    private synchronized boolean hasBegun(Leadership leadership) {
        return lastOpened >= leadership.token().value();
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized void awaitTheEnd() throws InterruptedException {
        while (true) {
            wait();
        }
    }

    /** Another interrupt changes nothing. */
    private synchronized void awaitWhoRuns() {
        open = Optional.empty();
        for (Run run : running) {
            run.isToldToStop = true;
            run.thread.interrupt();
        }
        while (!running.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException again) {
                // They are told already.
            }
        }
    }
}
