package dev.incumbent.simulation;

import dev.incumbent.time.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * One machine's clock on true time: an offset, a rate that may change, and pauses of the process during which nothing of it runs. Alarms follow the clock,
 * and wait while the process is paused.
 */
public final class DriftingClock implements Timeline {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long BOOT_STEP = 10_000_000;
    private static final long UNREAD = -1;
    private static final long EPOCH_MILLIS = 1_790_000_000_000L;

    private final Agenda agenda;
    private double rate;
    private long anchorTrue;
    private long anchorLocal;
    /** What it showed when it was read last, and when in true time: it is read some times an event. */
    private long read;

    private long readAt = UNREAD;
    /** What its boot-time clock showed last, and when in true time: the driver reads it some times in a row. */
    private OptionalLong boot = OptionalLong.empty();

    private long bootReadAt = UNREAD;
    private long pausedUntil;
    private long suspendedUntil;
    private long slept;
    private long wallStep;
    private boolean hasBootClock;
    /** What came while the process was paused, in order. */
    private final Deque<Runnable> held = new ArrayDeque<>();
    /** Who is told that its clocks have come apart. */
    private final List<BooleanSupplier> jumps = new ArrayList<>();

    /** One that shows {@code offset} now, and runs at that rate. */
    public DriftingClock(Agenda agenda, long offset, double rate) {
        this.agenda = agenda;
        this.anchorTrue = agenda.now();
        this.anchorLocal = offset;
        this.rate = rate;
    }

    /** From now on; during a suspend nothing changes. */
    public void rate(double next) {
        if (isSuspended()) {
            return;
        }
        anchorLocal = nanos();
        anchorTrue = agenda.now();
        rate = next;
        unread();
    }

    /** What was read at this instant counts no more. */
    private void unread() {
        readAt = UNREAD;
        bootReadAt = UNREAD;
    }

    /** Nothing of the process runs until that true time; the clock does. */
    public void pauseUntil(long time) {
        pausedUntil = Math.max(pausedUntil, time);
    }

    /** The machine is suspended until that true time: its monotonic clock stands still, wall and boot-time clock run. */
    void suspendUntil(long time) {
        if (!isSuspended() && time > agenda.now()) {
            anchorLocal = nanos();
            anchorTrue = time;
            slept += (long) ((time - agenda.now()) * rate);
            suspendedUntil = time;
            unread();
            tellOfAJump();
        }
        pauseUntil(time);
    }

    boolean isSuspended() {
        return agenda.now() < suspendedUntil;
    }

    /** Somebody sets the wall clock; on a suspended machine nobody does. */
    public void stepWall(long nanos) {
        if (!isSuspended()) {
            wallStep += nanos;
            tellOfAJump();
        }
    }

    /** Tells it of each suspend as it begins, and of each step of the wall clock, until it answers that it wants to hear of no more. Nothing else lets the clocks of a machine come apart. */
    public void whenItJumps(BooleanSupplier told) {
        jumps.add(told);
    }

    private void tellOfAJump() {
        jumps.removeIf(told -> !told.getAsBoolean());
    }

    /** From now on it shows the boot-time clock, too: so a step of the wall clock is not taken for a suspend. */
    public void withBootClock() {
        hasBootClock = true;
    }

    /** When, in true time, its last pause ended or will end. */
    public long pausedUntil() {
        return pausedUntil;
    }

    /** Does nothing of the process run at this instant? */
    public boolean isPaused() {
        return agenda.now() < pausedUntil;
    }

    /** Pauses end; a suspend ends of itself. */
    public void resume() {
        pausedUntil = Math.max(agenda.now(), suspendedUntil);
        agenda.at(pausedUntil, this::release);
    }

    @Override
    public long nanos() {
        if (readAt != agenda.now()) {
            readAt = agenda.now();
            read = anchorLocal + (long) (Math.max(0, readAt - anchorTrue) * rate);
        }
        return read;
    }

    @Override
    public long wallMillis() {
        return EPOCH_MILLIS + (throughSuspends() + wallStep) / NANOS_PER_MILLI;
    }

    @Override
    public OptionalLong bootNanos() {
        if (hasBootClock && bootReadAt != agenda.now()) {
            bootReadAt = agenda.now();
            boot = OptionalLong.of(Math.floorDiv(throughSuspends(), BOOT_STEP) * BOOT_STEP);
        }
        return boot;
    }

    private long throughSuspends() {
        long toCome = (long) (Math.max(0, suspendedUntil - agenda.now()) * rate);
        return nanos() + slept - toCome;
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        Waking waking = new Waking(nanos, task);
        agenda.put(trueTimeOf(nanos), waking);
        return waking;
    }

    /** Runs it now, or as soon as the process is paused no more. */
    public void whenAwake(Runnable task) {
        if (isPaused()) {
            hold(task);
        } else {
            task.run();
        }
    }

    private void hold(Runnable task) {
        if (held.isEmpty()) {
            agenda.at(pausedUntil, this::release);
        }
        held.add(task);
    }

    /** Whatever was held runs, each as an event of its own; where another pause has begun meanwhile, at its end. */
    private void release() {
        if (held.isEmpty()) {
            return;
        }
        if (isPaused()) {
            agenda.at(pausedUntil, this::release);
        } else {
            held.removeFirst().run();
            agenda.in(0, this::release);
        }
    }

    /** When, in true time, it shows that, if its rate stays what it is. */
    public long trueTimeOf(long local) {
        return anchorTrue + (long) Math.ceil((local - anchorLocal) / rate);
    }

    /** An alarm: where the rate has changed meanwhile it is set anew. */
    private final class Waking extends Agenda.Item implements Alarm {
        private final long nanos;
        private final Runnable task;
        private boolean cancelled;

        Waking(long nanos, Runnable task) {
            this.nanos = nanos;
            this.task = task;
        }

        @Override
        void happen() {
            if (nanos() < nanos) {
                agenda.put(Math.max(trueTimeOf(nanos), agenda.now() + 1), this);
            } else if (isPaused()) {
                hold(this::ring);
            } else {
                task.run();
            }
        }

        private void ring() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            agenda.strike(this);
        }
    }
}
