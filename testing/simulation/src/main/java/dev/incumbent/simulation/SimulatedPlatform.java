package dev.incumbent.simulation;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.internal.Machines;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.Strand;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** What the shipped driver runs on in a world: one process's share of its machine, which ends with that process. */
final class SimulatedPlatform implements Platform {
    private final World world;
    private final SimulatedProcess process;
    private final Node node;
    private final Timeline timeline;
    private final Timeline stops;

    SimulatedPlatform(World world, SimulatedProcess process) {
        this.world = world;
        this.process = process;
        this.node = process.node();
        this.timeline = world.canary().clocks(new Alarms());
        this.stops = world.canary().stops(timeline);
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Timeline stops() {
        return stops;
    }

    /** The clocks of a machine run alike but where they jump: so they are compared when a comparison is due next after a jump, and not in between. */
    @Override
    public void watchTheClocks(Duration every, BooleanSupplier compare) {
        node.clock().whenItJumps(new Comparing(every.toNanos(), compare)::isSetAfterAJump);
    }

    @Override
    public Strand strand(Runnable whenIdle, Trace trace) {
        return world.canary().strand(new OneAtATime(whenIdle), world.agenda());
    }

    @Override
    public Executor userCode() {
        Executor whole = piece -> world.agenda().in(node.userCodeWaits(), () -> whileAlive(piece));
        return world.canary().userCode(whole, node);
    }

    @Override
    public TaskRunner tasks() {
        TaskRunner whole = (LeaderTask task, Leadership leadership, TaskRunner.Returned returned) ->
                process.player(leadership.term().election()).taskOf(leadership, returned);
        return world.canary().tasks(whole);
    }

    @Override
    public Machines machines() {
        return new Machines() {
            @Override
            public OfElection election(Setup setup) {
                Machine machine = world.canary().machine(setup);
                Player player = process.player(setup.election());
                player.standsAs(setup);
                return (state, event, now) -> stepped(machine, player, state, event, now);
            }

            @Override
            public OfSession session(Timing timing) {
                return world.canary().session(timing);
            }
        };
    }

    @Override
    public Optional<BeatTransport> beats(CandidateId me) {
        if (!world.profile().isHeard()) {
            return Optional.empty();
        }
        SimulatedBeats whole = world.peers().open(me, process);
        process.hearsOver(whole);
        return Optional.of(world.canary().beats(whole));
    }

    /** A machine that throws has violated what the design says without words. */
    private Step<ElectionState, Effect> stepped(
            Machine machine, Player player, ElectionState state, Event event, Moment now) {
        try {
            Step<ElectionState, Effect> step = machine.step(state, event, now);
            if (process.isAlive()) {
                world.stepped(player, state, event, step);
            }
            return step;
        } catch (RuntimeException thrown) {
            world.violated("NoMachineThrows", event + " made it throw " + thrown);
            throw thrown;
        }
    }

    /** Nobody waits in a world. */
    @Override
    public void await(CompletionStage<?> done, Duration bound) {}

    @Override
    public void close() {
        process.ended();
    }

    private void whileAlive(Runnable piece) {
        node.clock().whenAwake(() -> {
            if (process.isAlive()) {
                piece.run();
            }
        });
    }

    /** The machine's clock; alarms end with the process. */
    private final class Alarms implements Timeline {
        @Override
        public long nanos() {
            return node.clock().nanos();
        }

        @Override
        public long wallMillis() {
            return node.clock().wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return node.clock().bootNanos();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return node.clock().at(nanos, () -> {
                if (process.isAlive()) {
                    task.run();
                }
            });
        }
    }

    /** The comparison of one process's clocks, due at all multiples of its period. */
    private final class Comparing {
        private final long begun = stops.nanos();
        private final long every;
        private final BooleanSupplier compare;
        private boolean isSet;
        private boolean over;

        Comparing(long every, BooleanSupplier compare) {
            this.every = every;
            this.compare = compare;
        }

        /** No more once the process, or its library, has come to its end. */
        boolean isSetAfterAJump() {
            if (!isSet) {
                isSet = true;
                stops.at(begun + ((stops.nanos() - begun) / every + 1) * every, this::compare);
            }
            return process.isAlive() && !over;
        }

        private void compare() {
            isSet = false;
            over = !compare.getAsBoolean();
        }
    }

    /** Runs what comes, one at a time; later, where the thread gets no processor meanwhile. */
    private final class OneAtATime implements Strand {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final Runnable whenIdle;
        private boolean running;
        private boolean closed;

        OneAtATime(Runnable whenIdle) {
            this.whenIdle = whenIdle;
        }

        @Override
        public void execute(Runnable task) {
            if (!process.isAlive() || closed) {
                return;
            }
            tasks.add(task);
            if (running) {
                return;
            }
            long starvedUntil = node.starvedUntil();
            if (world.now() < starvedUntil) {
                running = true;
                world.agenda().at(starvedUntil, () -> whileAlive(this::runAll));
            } else {
                runAll();
            }
        }

        private void runAll() {
            running = true;
            node.guardsMayChange();
            while (process.isAlive() && !closed && !tasks.isEmpty()) {
                attempt(tasks.remove());
                if (tasks.isEmpty()) {
                    attempt(whenIdle);
                }
            }
            running = false;
        }

        private void attempt(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException thrown) {
                world.violated("NoTaskOfTheDriverThrows", "the strand's task threw " + thrown);
            }
        }

        @Override
        public void close() {
            execute(() -> closed = true);
        }
    }
}
