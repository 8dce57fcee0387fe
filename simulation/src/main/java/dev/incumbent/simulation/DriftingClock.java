package dev.incumbent.simulation;

import dev.incumbent.time.Timeline;
import java.util.OptionalLong;

/**
 * One machine's clock on true time: an offset, a rate that may change, and pauses of the process during which nothing of it runs. Alarms follow the clock,
 * and wait while the process is paused.
 */
final class DriftingClock implements Timeline {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long EPOCH_MILLIS = 1_790_000_000_000L;

    private final Agenda agenda;
    private double rate;
    private long anchorTrue;
    private long anchorLocal;
    private long pausedUntil;

    DriftingClock(Agenda agenda, long offset, double rate) {
        this.agenda = agenda;
        this.anchorTrue = agenda.now();
        this.anchorLocal = offset;
        this.rate = rate;
    }

    void rate(double next) {
        anchorLocal = nanos();
        anchorTrue = agenda.now();
        rate = next;
    }

    /** Nothing of the process runs until that true time; the clock does. */
    void pauseUntil(long time) {
        pausedUntil = Math.max(pausedUntil, time);
    }

    boolean isPaused() {
        return agenda.now() < pausedUntil;
    }

    void resume() {
        pausedUntil = agenda.now();
    }

    @Override
    public long nanos() {
        return anchorLocal + (long) ((agenda.now() - anchorTrue) * rate);
    }

    @Override
    public long wallMillis() {
        return EPOCH_MILLIS + nanos() / NANOS_PER_MILLI;
    }

    @Override
    public OptionalLong bootNanos() {
        return OptionalLong.empty();
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        return new Waking(nanos, task);
    }

    /** Runs it now, or as soon as the process is paused no more. */
    void whenAwake(Runnable task) {
        if (isPaused()) {
            agenda.at(pausedUntil, () -> whenAwake(task));
        } else {
            task.run();
        }
    }

    /** When, in true time, it shows that, if its rate stays what it is. */
    long trueTimeOf(long local) {
        return anchorTrue + (long) Math.ceil((local - anchorLocal) / rate);
    }

    /** An alarm: where the rate has changed meanwhile it is set anew. */
    private final class Waking implements Alarm {
        private final long nanos;
        private final Runnable task;
        private Agenda.Item item;
        private boolean cancelled;

        Waking(long nanos, Runnable task) {
            this.nanos = nanos;
            this.task = task;
            this.item = agenda.at(trueTimeOf(nanos), this::ring);
        }

        private void ring() {
            if (cancelled) {
                return;
            }
            if (nanos() < nanos) {
                item = agenda.at(Math.max(trueTimeOf(nanos), agenda.now() + 1), this::ring);
            } else if (isPaused()) {
                item = agenda.at(pausedUntil, this::ring);
            } else {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            item.strike();
        }
    }
}
