package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Step;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** What holds of transfers that are planned for later. Each is a class named as its sentence. */
final class PlanInvariants {
    private static final int FEW_LEASES = 3;

    private PlanInvariants() {}

    private static boolean isDue(PlannedTransfer plan, DriftingClock clock) {
        return plan.isDue(Instant.ofEpochMilli(clock.wallMillis()));
    }

    /** A leader hands over to the successor of a plan once the plan's time has come by the leader's own clock, and not before. */
    static final class APlanWaitsForItsTime extends Inspector implements Witness {
        APlanWaitsForItsTime(World world) {
            super(world);
        }

        @Override
        public void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
            Optional<String> answered = answered(step.state());
            if (answered.isEmpty() || answered.equals(answered(before))) {
                return;
            }
            Optional<PlannedTransfer> plan =
                    world().record(player.election()).record().planned();
            if (plan.filter(one -> one.by().equals(answered.get())).isPresent() && !isDue(plan.get(), player.clock())) {
                violated(player.candidate() + " hands " + player.election() + " over before the time of " + plan.get());
            }
        }

        /** The request or the plan for which it hands over. */
        private static Optional<String> answered(ElectionState state) {
            return state.tenure()
                    .filter(mine -> mine.handover().successor().isPresent())
                    .map(mine -> mine.handover().requestId());
        }
    }

    /** A plan that was done is gone from the record in the same swap, and is not done again; but for a store that goes back. */
    static final class APlanIsDoneOnce extends Inspector {
        private final Set<String> done = new LinkedHashSet<>();

        APlanIsDoneOnce(World world) {
            super(world);
        }

        @Override
        void restored() {
            done.clear();
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            Optional<PlannedTransfer> plan = before.record().planned();
            if (plan.isEmpty() || !RecordInvariants.isVacatedByItsLeader(before, after)) {
                return;
            }
            boolean answered = after.record()
                    .request()
                    .map(Request::id)
                    .filter(plan.get().by()::equals)
                    .isPresent();
            if (answered) {
                world().reach(Milestone.PLAN_DONE);
                boolean again = !done.add(plan.get().by());
                if (again || after.record().planned().isPresent()) {
                    violated(plan.get() + " was done in " + election + (again ? " once more" : ", and still stands"));
                }
            }
        }
    }

    /** A plan leaves the record by an operator, or by the leader once its time has come by the leader's clock. Where wall clocks are set, that time may have come and gone. */
    static final class APlanIsNotForgotten extends Inspector {
        APlanIsNotForgotten(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            Optional<PlannedTransfer> plan = before.record().planned();
            String writer = after.record().nonce();
            if (plan.isEmpty()
                    || after.record().planned().equals(plan)
                    || writer.startsWith(SimulatedOperator.NAME)
                    || world().profile().kinds().contains(Fault.Kind.WALL_STEP)) {
                return;
            }
            boolean byItsLeader = before.record()
                    .leader()
                    .filter(leader -> writer.startsWith(leader.id() + ":"))
                    .isPresent();
            boolean due = world().nodes().stream()
                    .filter(node -> writer.startsWith(node.candidate().name() + "@"))
                    .anyMatch(node -> isDue(plan.get(), node.clock()));
            if (!byItsLeader || !due) {
                violated(plan.get() + " is gone from " + election + " by the swap " + writer);
            }
        }
    }

    /** Once faults have ceased, whoever leads for some time has done or given up what is due by its clock. */
    static final class ADuePlanIsSettled extends Inspector {
        ADuePlanIsSettled(World world) {
            super(world);
        }

        @Override
        void afterFaultsCeased() {
            for (ElectionName election : world().elections()) {
                world().record(election)
                        .record()
                        .planned()
                        .ifPresent(plan -> world().nodes().stream()
                                .flatMap(node -> node.player(election).stream())
                                .filter(player -> leadsFor(
                                        player, FEW_LEASES * world().profile().leaseNanos()))
                                .filter(player -> isLongDue(plan, player.clock()))
                                .forEach(player -> violated(
                                        player.candidate() + " leads " + election + " and does nothing of " + plan)));
            }
        }

        private boolean leadsFor(Player player, long nanos) {
            long term = player.believed();
            return world().record(player.election())
                            .record()
                            .names(player.candidate().id(), term)
                    && world().begun().stream()
                            .filter(one -> one.election().equals(player.election()) && one.term() == term)
                            .allMatch(one -> world().now() - one.atNanos() > nanos);
        }

        private boolean isLongDue(PlannedTransfer plan, DriftingClock clock) {
            long few = FEW_LEASES * world().profile().leaseNanos();
            return plan.isDue(Instant.ofEpochMilli(clock.wallMillis()).minusNanos(few));
        }
    }
}
