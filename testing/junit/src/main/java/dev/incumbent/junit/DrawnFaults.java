package dev.incumbent.junit;

import dev.incumbent.simulation.Draws;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Faults as the seed draws them, one after another. */
final class DrawnFaults {
    private static final int STREAM = 0;
    private static final long FIFTHS = 5;
    private static final long MOST_STEP_MINUTES = 120;

    private final VirtualWorld world;
    private final Draws draws;
    private final List<FaultKind> kinds;
    private boolean over;

    DrawnFaults(VirtualWorld world, long seed, List<FaultKind> kinds) {
        this.world = world;
        this.draws = new Draws(Draws.mix(seed, 0), 1);
        this.kinds = kinds;
    }

    void begin() {
        next();
    }

    void end() {
        over = true;
    }

    private void next() {
        long lease = world.timing().lease().toNanos();
        world.agenda().in(draws.between(STREAM, lease / 4, 3 * lease), () -> {
            if (!over) {
                happen();
                next();
            }
        });
    }

    /** A fixed number of draws each time, whatever they are used for: so who leads changes no later fault. */
    private void happen() {
        List<Machine> machines = world.machines();
        FaultKind kind = kinds.get((int) draws.below(STREAM, kinds.size()));
        Machine any = machines.get((int) draws.below(STREAM, machines.size()));
        boolean ofTheLeader = draws.oneIn(STREAM, 2);
        long nanos = world.timing().lease().toNanos() * draws.between(STREAM, 1, 12) / FIFTHS;
        long how = draws.below(STREAM, 6);
        long minutes = draws.between(STREAM, -MOST_STEP_MINUTES, MOST_STEP_MINUTES);
        Optional<Machine> leading = world.leading().filter(one -> ofTheLeader);
        Machine machine = leading.orElse(any);
        boolean inACall = leading.isPresent() && how % 2 == 0;
        switch (kind) {
            case PAUSE -> {
                if (inACall) {
                    machine.strikeNext(new Machine.Strike(nanos, how % 3 != 0, false));
                } else {
                    machine.pause(nanos, "");
                }
            }
            case KILL -> {
                if (inACall) {
                    machine.strikeNext(new Machine.Strike(nanos, how % 3 != 0, true));
                } else {
                    machine.crash(nanos);
                }
            }
            case PARTITION -> {
                if (how % 3 != 0) {
                    machine.cutFromCoordinator(nanos);
                }
                if (how % 3 != 1) {
                    machine.cutFromStores(nanos);
                }
            }
            case CLOCK_STEP -> machine.stepWall(Duration.ofMinutes(minutes));
        }
    }
}
