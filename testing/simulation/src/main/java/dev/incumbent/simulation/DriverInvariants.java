package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** What users see of the driver. Each is a class named as its sentence. */
final class DriverInvariants {
    private DriverInvariants() {}

    /** A successor may begin as soon as a lease is revoked: so none is while a task runs that nothing fences. */
    static final class NoLeaseIsRevokedUnderAnUnfencedTask extends Inspector {
        NoLeaseIsRevokedUnderAnUnfencedTask(World world) {
            super(world);
        }

        @Override
        void revoking(SimulatedProcess by, LeaseId lease) {
            for (Player player : by.players()) {
                boolean unfenced = world().sinks().isEmpty();
                LeaderRecord record = world().record(player.election()).record();
                boolean covered = record.leader().filter(by.candidate()::equals).isPresent()
                        && record.lease().filter(lease::equals).isPresent();
                if (unfenced
                        && covered
                        && player.task().filter(SimulatedTask::isWaitedFor).isPresent()) {
                    violated(
                            by.candidate() + " revokes " + lease + " while its task of " + player.election() + " runs");
                }
            }
        }
    }

    /** Whoever says that it could not do the work begins no term until it says that it could. */
    static final class AnUnwellProcessBeginsNoTerm extends Inspector {
        AnUnwellProcessBeginsNoTerm(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    if (player.candidate().id().equals(begun.leader())
                            && player.election().equals(begun.election())
                            && player.isUnwell()
                            && world().now() >= node.starvedUntil()) {
                        violated(begun.leader() + " begins term " + begun.term() + " although it is unwell");
                    }
                }
            }
        }
    }

    /** Once a candidacy has told that it is closed, no swap of its process names it; but for a store that goes back. */
    static final class WhoClosedIsNamedByNoRecord extends Inspector {
        WhoClosedIsNamedByNoRecord(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            if (after.record().leader().isEmpty()
                    || !after.record()
                            .nonce()
                            .startsWith(after.record().leader().get().id().value() + ":")
                    || !after.leaseAlive()
                    || world().profile().kinds().contains(Fault.Kind.STORE_RESTORED)) {
                return;
            }
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    if (player.hasLeft()
                            && player.election().equals(election)
                            && after.record()
                                    .leader()
                                    .filter(player.candidate()::equals)
                                    .isPresent()) {
                        violated(player.candidate() + " has left " + election + ", and the record names it: " + after);
                    }
                }
            }
        }

        @Override
        void afterFaultsCeased() {
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    ObservedRecord record = world().record(player.election());
                    if (player.hasLeft()
                            && !world().faults().isBroken(node)
                            && record.leaseAlive()
                            && record.record()
                                    .leader()
                                    .filter(player.candidate()::equals)
                                    .isPresent()) {
                        violated(player.candidate() + " has left " + player.election()
                                + ", and the record still names it");
                    }
                }
            }
        }
    }

    /** Whatever is handed out to users completes, unless its process is gone or broken. */
    static final class EveryStageCompletes extends Inspector {
        private final List<Promise> open = new ArrayList<>();

        private record Promise(SimulatedProcess by, String what, long since, CompletionStage<?> stage) {}

        EveryStageCompletes(World world) {
            super(world);
        }

        @Override
        void promised(SimulatedProcess by, String what, CompletionStage<?> stage) {
            open.add(new Promise(by, what, world().now(), stage));
        }

        @Override
        void afterFaultsCeased() {
            recovered();
        }

        @Override
        void recovered() {
            long recent = world().now() - 5 * world().profile().leaseNanos();
            for (Promise promise : open) {
                boolean due = promise.by().isAlive()
                        && !world().faults().isBroken(promise.by().node())
                        && promise.since() < recent
                        && !promise.what().startsWith("the end of");
                if (due && !promise.stage().toCompletableFuture().isDone()) {
                    violated(promise.what() + ", asked of " + promise.by().candidate() + " "
                            + (world().now() - promise.since()) / 1_000_000 + " ms ago, has not completed");
                }
            }
        }
    }

    /** Whoever wants to lead and could leads, or stands in line at the store, but for a few leases. */
    static final class WhoStandsIsSoonEnlisted extends Inspector {
        private static final int FEW_LEASES = 5;

        private final Map<Player, Long> stood = new LinkedHashMap<>();

        WhoStandsIsSoonEnlisted(World world) {
            super(world);
        }

        @Override
        void sampled() {
            if (!world().faults().haveCeased()) {
                return;
            }
            for (ElectionName election : world().elections()) {
                List<Enlisted> line = world().line(election);
                for (Node node : world().nodes()) {
                    for (Player player : node.players()) {
                        if (player.election().equals(election) && stands(player, line)) {
                            stood.put(player, world().now());
                        }
                    }
                }
            }
        }

        private static boolean stands(Player player, List<Enlisted> line) {
            return player.state().role() == Role.LEADER
                    || (player.state().role() == Role.CANDIDATE
                            && line.stream()
                                    .anyMatch(one -> one.candidate()
                                            .id()
                                            .equals(player.candidate().id())));
        }

        @Override
        void recovered() {
            afterFaultsCeased();
        }

        @Override
        void afterFaultsCeased() {
            for (Node node : world().nodes()) {
                if (!world().faults().isBroken(node)) {
                    node.players().stream().filter(Player::wantsToLead).forEach(this::stoodLately);
                }
            }
        }

        private void stoodLately(Player player) {
            if (world().now() - stood.getOrDefault(player, 0L)
                    > FEW_LEASES * world().profile().leaseNanos()) {
                violated(player.candidate() + " is " + player.state().role() + " in " + player.election()
                        + " long after faults have ceased, and not in line");
            }
        }
    }

    /** A task whose term is not valid any more is soon told to stop, whatever the driver's thread does; asked of processes that run meanwhile. */
    static final class TasksAreSoonToldToStop extends Inspector {
        private Set<SimulatedTask> late = new LinkedHashSet<>();

        TasksAreSoonToldToStop(World world) {
            super(world);
        }

        @Override
        void sampled() {
            Set<SimulatedTask> lateBefore = late;
            late = new LinkedHashSet<>();
            for (Node node : world().nodes()) {
                if (!node.clock().isPaused()) {
                    node.players()
                            .forEach(player -> player.task()
                                    .filter(task -> task.isWaitedFor() && !task.isInterrupted() && !task.holds())
                                    .ifPresent(late::add));
                }
            }
            for (SimulatedTask task : late) {
                if (lateBefore.contains(task)) {
                    violated("the task of " + task.term()
                            + " runs although its term is over, and nobody has told it to stop");
                }
            }
        }
    }
}
