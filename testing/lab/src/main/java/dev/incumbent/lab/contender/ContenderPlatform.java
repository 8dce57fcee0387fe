package dev.incumbent.lab.contender;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.internal.Machines;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.Strand;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.Setup;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** What the shipped driver runs on in the lab: one process of a member, until it dies. */
final class ContenderPlatform implements Platform {
    private final LabMember member;
    private final LeaseContender contender;
    private final long incarnation;

    ContenderPlatform(LabMember member, LeaseContender contender) {
        this.member = member;
        this.contender = contender;
        this.incarnation = member.incarnation();
    }

    @Override
    public Timeline timeline() {
        return new Timeline() {
            @Override
            public long nanos() {
                return member.clock().nanos();
            }

            @Override
            public long wallMillis() {
                return member.clock().wallMillis();
            }

            @Override
            public OptionalLong bootNanos() {
                return member.clock().bootNanos();
            }

            @Override
            public Alarm at(long nanos, Runnable task) {
                return member.clock().at(nanos, () -> {
                    if (isAlive()) {
                        task.run();
                    }
                });
            }
        };
    }

    @Override
    public Timeline stops() {
        return timeline();
    }

    /** Clocks come apart only where a wall clock is set, which the driver finds out by comparing them. */
    @Override
    public void watchTheClocks(Duration every, BooleanSupplier compare) {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        member.clock().whenItJumps(() -> {
            member.after(every.toNanos(), () -> goesOn.set(compare.getAsBoolean()));
            return isAlive() && goesOn.get();
        });
    }

    @Override
    public Strand strand(Runnable whenIdle, Trace trace) {
        return new OneByOne(whenIdle);
    }

    @Override
    public Executor userCode() {
        return piece -> member.world()
                .agenda()
                .in(
                        0,
                        () -> member.clock().whenAwake(() -> {
                            if (isAlive()) {
                                piece.run();
                            }
                        }));
    }

    @Override
    public TaskRunner tasks() {
        return (LeaderTask task, Leadership leadership, TaskRunner.Returned returned) ->
                contender.taskOf(leadership, returned);
    }

    @Override
    public Machines machines() {
        return new Machines() {
            @Override
            public OfElection election(Setup setup) {
                ElectionProtocol shipped = new ElectionProtocol(setup);
                return (state, event, now) -> {
                    var step = shipped.step(state, event, now);
                    if (isAlive()
                            && state.attempt().isEmpty()
                            && step.state().attempt().isPresent()) {
                        member.suspects();
                    }
                    return step;
                };
            }
        };
    }

    /** Nobody waits in a world. */
    @Override
    public void await(CompletionStage<?> done, Duration bound) {}

    @Override
    public void close() {}

    private boolean isAlive() {
        return member.isUp() && member.incarnation() == incarnation;
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
            if (!isAlive() || closed) {
                return;
            }
            tasks.add(task);
            if (!running) {
                runAll();
            }
        }

        private void runAll() {
            running = true;
            while (isAlive() && !closed && !tasks.isEmpty()) {
                tasks.remove().run();
                if (tasks.isEmpty()) {
                    whenIdle.run();
                }
            }
            running = false;
            contender.driven();
        }

        @Override
        public void close() {
            execute(() -> closed = true);
        }
    }
}
