package dev.incumbent.simulation;

import dev.incumbent.Trace;
import dev.incumbent.internal.Machines;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.Strand;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * What the shipped driver runs on in a world that is not this module's own: one process of a machine, until it dies. Nothing of it runs while the machine is paused, nor after the process has
 * died. One thread, that of the agenda.
 */
public final class ProcessPlatform implements Platform {
    private final SimulatedProcess process;
    private final Timeline timeline = new Alarms();

    /** On that process. */
    public ProcessPlatform(SimulatedProcess process) {
        this.process = process;
    }

    /** One start of a program on a machine. */
    public interface SimulatedProcess {
        /** What will happen in its world. */
        Agenda agenda();

        /** The clock of its machine. */
        DriftingClock clock();

        /** Has it not died? */
        boolean isAlive();

        /** Runs the tasks of its terms. */
        TaskRunner tasks();

        /** The pure machines that its driver steps. */
        default Machines machines() {
            return Machines.SHIPPED;
        }

        /** Its driver has run: what its guards say may have changed. */
        default void driven() {}
    }

    /** Runs it in an event of its own, once the machine is not paused, unless the process has died by then. */
    public void soon(Runnable piece) {
        process.agenda()
                .in(
                        0,
                        () -> process.clock().whenAwake(() -> {
                            if (process.isAlive()) {
                                piece.run();
                            }
                        }));
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Timeline stops() {
        return timeline;
    }

    /** Clocks come apart only where one of them jumps: they are compared once after that. */
    @Override
    public void watchTheClocks(Duration every, BooleanSupplier compare) {
        process.clock().whenItJumps(new Comparing(every.toNanos(), compare)::isSetAfterAJump);
    }

    @Override
    public Strand strand(Runnable whenIdle, Trace trace) {
        return new OneByOne(whenIdle);
    }

    @Override
    public Executor userCode() {
        return this::soon;
    }

    @Override
    public TaskRunner tasks() {
        return process.tasks();
    }

    @Override
    public Machines machines() {
        return process.machines();
    }

    /** Nobody waits in a world. */
    @Override
    public void await(CompletionStage<?> done, Duration bound) {}

    @Override
    public void close() {}

    /** The machine's clock; alarms end with the process. */
    private final class Alarms implements Timeline {
        @Override
        public long nanos() {
            return process.clock().nanos();
        }

        @Override
        public long wallMillis() {
            return process.clock().wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return process.clock().bootNanos();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return process.clock().at(nanos, () -> {
                if (process.isAlive()) {
                    task.run();
                }
            });
        }
    }

    /** The comparison of one process's clocks after a jump. */
    private final class Comparing {
        private final long every;
        private final BooleanSupplier compare;
        private boolean over;

        Comparing(long every, BooleanSupplier compare) {
            this.every = every;
            this.compare = compare;
        }

        boolean isSetAfterAJump() {
            timeline.at(timeline.nanos() + every, () -> over = !compare.getAsBoolean());
            return process.isAlive() && !over;
        }
    }

    /** Runs what comes, one at a time. */
    private final class OneByOne implements Strand {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final Runnable whenIdle;
        private boolean running;
        private boolean closed;

        OneByOne(Runnable whenIdle) {
            this.whenIdle = whenIdle;
        }

        @Override
        public void execute(Runnable task) {
            if (!process.isAlive() || closed) {
                return;
            }
            tasks.add(task);
            if (!running) {
                runAll();
            }
        }

        private void runAll() {
            running = true;
            while (process.isAlive() && !closed && !tasks.isEmpty()) {
                tasks.remove().run();
                if (tasks.isEmpty()) {
                    whenIdle.run();
                }
            }
            running = false;
            process.driven();
        }

        @Override
        public void close() {
            execute(() -> closed = true);
        }
    }
}
