package dev.incumbent.coordinator.peers;

import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.Strand;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** One process in virtual time, until it is killed: all that it does happens in the timeline's alarms. A paused one does it later. Its tasks run until they are interrupted. */
final class VirtualPlatform implements Platform {
    private final VirtualTimeline world;
    private final Timeline timeline = new ProcessTimeline();
    private boolean isKilled;
    private long pausedUntil = Long.MIN_VALUE;
    private long wallAheadMillis;
    private Duration stopTime = Duration.ZERO;
    private final List<Leadership> running = new ArrayList<>();

    VirtualPlatform(VirtualTimeline world) {
        this.world = world;
    }

    /** As by SIGKILL: nothing of it happens any more. */
    void kill() {
        isKilled = true;
    }

    /** As by SIGSTOP, and SIGCONT that long after: alarms ring and messages arrive once it goes on. */
    void pause(Duration length) {
        pausedUntil = world.nanos() + length.toNanos();
    }

    /** Somebody sets the wall clock of its machine. */
    void stepWall(Duration by) {
        wallAheadMillis += by.toMillis();
    }

    /** Its tasks return so long after they were told to stop. */
    void stopsAfter(Duration length) {
        stopTime = length;
    }

    /** The terms whose tasks have begun and not returned. */
    List<Leadership> running() {
        return running;
    }

    boolean isAwake() {
        return !isKilled && world.nanos() >= pausedUntil;
    }

    void soon(Runnable piece) {
        at(world.nanos(), piece);
    }

    private Timeline.Alarm at(long nanos, Runnable piece) {
        return world.at(nanos, () -> {
            if (isKilled) {
                return;
            }
            if (world.nanos() < pausedUntil) {
                at(pausedUntil, piece);
            } else {
                piece.run();
            }
        });
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Timeline stops() {
        return timeline;
    }

    @Override
    public Strand strand(Runnable whenIdle, Trace trace) {
        return new Strand() {
            private boolean isClosed;

            @Override
            public void execute(Runnable task) {
                if (!isClosed) {
                    soon(task);
                }
            }

            @Override
            public void close() {
                isClosed = true;
            }
        };
    }

    @Override
    public Executor userCode() {
        return this::soon;
    }

    @Override
    public TaskRunner tasks() {
        return (task, leadership, returned) -> new TaskRunner.Run() {
            private boolean hasReturned;

            @Override
            public void start() {
                try {
                    running.add(leadership);
                    task.lead(leadership);
                } catch (Exception e) {
                    hasReturned = true;
                    running.remove(leadership);
                    soon(() -> returned.accept(Optional.of(e)));
                }
            }

            @Override
            public void interrupt() {
                if (!hasReturned) {
                    hasReturned = true;
                    at(world.nanos() + stopTime.toNanos(), () -> {
                        running.remove(leadership);
                        returned.accept(Optional.empty());
                    });
                }
            }
        };
    }

    @Override
    public void await(CompletionStage<?> done, Duration bound) {
        throw new AssertionError("nobody waits in virtual time");
    }

    @Override
    public void close() {
        kill();
    }

    private final class ProcessTimeline implements Timeline {
        @Override
        public long nanos() {
            return world.nanos();
        }

        @Override
        public long wallMillis() {
            return world.wallMillis() + wallAheadMillis;
        }

        @Override
        public OptionalLong bootNanos() {
            return world.bootNanos();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return VirtualPlatform.this.at(nanos, task);
        }
    }
}
