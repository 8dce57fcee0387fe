package dev.incumbent.simulation;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.outcome.TransferPlan;
import dev.incumbent.protocol.operator.OperatorProtocol;
import dev.incumbent.protocol.operator.OperatorState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The operator: freezes, thaws until that is done, cordons, and asks for transfers, now and for later, one operation an election at a time. */
final class SimulatedOperator {
    /** What every operation's name begins with. */
    static final String NAME = "op-";

    private final World world;
    private final Link out;
    private final Link back;
    private final DriftingClock clock;
    private final Set<ElectionName> busy = new TreeSet<>();
    private int operations;

    SimulatedOperator(World world) {
        this.world = world;
        this.out = new Link(
                world.agenda(),
                world.draws(),
                World.OPERATOR_STREAM,
                world.profile().latencyNanos());
        this.back = new Link(
                world.agenda(),
                world.draws(),
                World.OPERATOR_STREAM,
                world.profile().latencyNanos());
        this.clock = new DriftingClock(world.agenda(), 0, 1);
    }

    void freeze(ElectionName election, long length) {
        if (busy.add(election)) {
            OperatorState start = OperatorProtocol.freeze(
                    who(), "a fault", labels(), world.timing().lease(), true);
            run(election, start, outcome -> frozen(election, outcome, length));
        }
    }

    void transfer(ElectionName election, Candidate successor) {
        if (busy.add(election)) {
            OperatorState start = OperatorProtocol.transferTo(
                    who(), successor.id().value(), world.timing().lease());
            run(election, start, outcome -> busy.remove(election));
        }
    }

    /** Asks for the same twice at once: to resign, to hand over, or, for a while, to freeze. */
    void twice(ElectionName election, Candidate successor, Fault fault) {
        if (busy.add(election)) {
            Supplier<OperatorState> start = () -> switch ((int) (fault.amount() % 3)) {
                case 0 -> OperatorProtocol.resign(who(), world.timing().lease());
                case 1 ->
                    OperatorProtocol.transferTo(
                            who(), successor.id().value(), world.timing().lease());
                default ->
                    OperatorProtocol.freeze(
                            who(), "a fault", labels(), world.timing().lease(), false);
            };
            int[] left = {2};
            Consumer<OperatorOutcome> ended = outcome -> {
                left[0]--;
                if (left[0] == 0 && fault.amount() % 3 == 2) {
                    world.agenda().in(fault.lengthNanos(), () -> thaw(election));
                } else if (left[0] == 0) {
                    busy.remove(election);
                }
            };
            run(election, start.get(), ended);
            run(election, start.get(), ended);
        }
    }

    /** Cordons all that come by this one's name, or once in three times takes that back. What is cordoned stays so, also after the faults have ceased. */
    void cordon(ElectionName election, Candidate one, long amount) {
        if (busy.add(election)) {
            OperatorState start = amount % 3 == 0
                    ? OperatorProtocol.uncordon(who(), one.name())
                    : OperatorProtocol.cordon(who(), one.name(), "a fault");
            run(election, start, outcome -> cordoned(election, outcome));
        }
    }

    /** Plans a transfer to whoever then has this one's name, or once in four times takes back what is planned. */
    void plan(ElectionName election, Candidate one, Fault fault) {
        if (busy.add(election)) {
            Instant then = Instant.ofEpochMilli(clock.wallMillis()).plusNanos(fault.lengthNanos());
            OperatorState start = fault.amount() % 4 == 0
                    ? OperatorProtocol.cancelTransfer(who())
                    : OperatorProtocol.planTransfer(who(), one.name(), then);
            run(election, start, outcome -> planned(election, outcome));
        }
    }

    private void planned(ElectionName election, OperatorOutcome outcome) {
        busy.remove(election);
        if (outcome instanceof TransferPlan.Planned planned && planned.changed()) {
            world.reach(Milestone.TRANSFER_PLANNED);
        }
    }

    private void cordoned(ElectionName election, OperatorOutcome outcome) {
        busy.remove(election);
        if (outcome instanceof Cordoning.Cordoned cordoned && cordoned.changed()) {
            world.reach(Milestone.CORDONED);
        }
    }

    /**
     * After the faults have ceased: thaws again and again whatever is frozen. A sink that a freeze owns and that the record neither names nor knows to be frozen
     * (the store went back to before that sink) is frozen anew, and then thawed: nothing but an operator's hand opens it.
     */
    void thawWhatIsFrozen() {
        for (ElectionName election : world.elections()) {
            boolean flagged = world.record(election).record().isFrozen();
            if (flagged && busy.add(election)) {
                thaw(election);
            } else if (!flagged && world.record(election).isVacant() && isClosedSomewhere(election)) {
                freeze(election, world.profile().leaseNanos());
            }
        }
        world.agenda().in(2 * world.profile().leaseNanos(), this::thawWhatIsFrozen);
    }

    private boolean isClosedSomewhere(ElectionName election) {
        return world.sinks().stream()
                .anyMatch(sink -> sink.mark(election)
                        .filter(mark -> mark.owner() instanceof MarkOwner.OfFreeze)
                        .isPresent());
    }

    private void frozen(ElectionName election, OperatorOutcome outcome, long length) {
        if (outcome instanceof Freezing.Frozen frozen && frozen.isQuiet()) {
            world.inspectors().quiet(election);
        }
        world.agenda().in(length, () -> thaw(election));
    }

    private void thaw(ElectionName election) {
        world.inspectors().thawing(election);
        OperatorState start =
                OperatorProtocol.thaw(who(), labels(), world.timing().lease());
        run(election, start, outcome -> thawed(election, outcome));
    }

    private void thawed(ElectionName election, OperatorOutcome outcome) {
        if (outcome instanceof Thaw.Thawed) {
            world.reach(Milestone.FROZEN_AND_THAWED);
        }
        boolean flagged = world.record(election).record().isFrozen();
        if (outcome instanceof Thaw.Thawed || outcome instanceof Thaw.NotFrozen || !flagged) {
            busy.remove(election);
        } else {
            world.agenda().in(world.profile().leaseNanos(), () -> thaw(election));
        }
    }

    private void run(ElectionName election, OperatorState start, Consumer<OperatorOutcome> then) {
        new SimulatedOperation(world, this, election, start, then).begin();
    }

    DriftingClock clock() {
        return clock;
    }

    Link out() {
        return out;
    }

    Link back() {
        return back;
    }

    private String who() {
        return NAME + ++operations;
    }

    private List<String> labels() {
        return world.sinks().stream().map(sink -> sink.id().value()).toList();
    }

    /** A connection of this operator's own to the store. */
    Coordinator connected() {
        Wire wire = new Wire() {
            @Override
            public void toStore(Runnable arrival) {
                out.carry(arrival);
            }

            @Override
            public void toClient(Runnable arrival) {
                back.carry(arrival);
            }
        };
        Duration timeout = world.timing().requestTimeout();
        return world.broken(MemoryCoordinator.connect(world.store(), wire, clock, timeout));
    }
}
