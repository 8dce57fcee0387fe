package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.reading.Elections;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Why a run with {@code -n} cannot lead at once: somebody leads or waits, or the election is frozen. Who is dead counts for nothing.
 *
 * <p>Some coordinators end no lease by themselves: each process has to watch a lease for its whole length before it knows it dead. There this asks,
 * always the same coordinator, until it knows. Blocks the main thread; a signal ends the wait.
 */
final class Occupancy {
    private final Surroundings around;
    private final Plan plan;
    private final Stage stage;
    private final Coordinator coordinator;

    Occupancy(Surroundings around, Plan plan, Stage stage, Coordinator coordinator) {
        this.around = around;
        this.plan = plan;
        this.stage = stage;
        this.coordinator = coordinator;
    }

    /** How the run ends; empty where it may stand. */
    Optional<Ending> ending() throws InterruptedException {
        Sight first = look();
        long begun = around.timeline().nanos();
        Sight now = first;
        while (now.mayAllBeDead(first) && mustWatch()) {
            long left =
                    begun + longestSilence(now).toNanos() - around.timeline().nanos();
            if (left <= 0) {
                break;
            }
            Optional<Ending> verdict =
                    pass(Math.min(left, plan.timing().requestTimeout().toNanos()));
            if (verdict.isPresent()) {
                return verdict;
            }
            now = look();
        }
        return now.obstacle().map(this::notAcquired);
    }

    private Sight look() {
        ObservedRecord observed = new Elections(coordinator).record(plan.election());
        return new Sight(
                observed,
                Answers.await(coordinator.candidates(Set.of(plan.election())))
                        .getOrDefault(plan.election(), List.of()));
    }

    private boolean mustWatch() {
        return coordinator.capabilities().expiryJudgedBy() == Capabilities.ExpiryClock.OBSERVER;
    }

    /** A lease that is told alive for longer than that was renewed. A candidate's length is not told: it is the last leader's or ours. */
    private Duration longestSilence(Sight now) {
        Capabilities can = coordinator.capabilities();
        Duration leaders = now.observed().record().leaseLength();
        Duration ours = plan.timing().lease();
        boolean isLeaders = !now.observed().isVacant() || leaders.compareTo(ours) > 0;
        return (isLeaders ? leaders : ours)
                .plus(can.leaseGranularity())
                .plus(can.expiryLag())
                .plus(plan.timing().requestTimeout());
    }

    private Optional<Ending> pass(long nanos) throws InterruptedException {
        long until = around.timeline().nanos() + nanos;
        return stage.attend(around.timeline()::nanos, OptionalLong.of(until));
    }

    private Ending notAcquired(String why) {
        around.say(plan.election() + ": not acquired: " + why);
        return Ending.notAcquired(plan.conflictCode());
    }

    /** The record, and who stands. */
    private record Sight(ObservedRecord observed, List<Enlisted> candidates) {
        Optional<String> obstacle() {
            if (!observed.isVacant()) {
                return Optional.of(observed.record().leader().orElseThrow().id() + " leads, token "
                        + observed.record().term());
            }
            if (observed.record().isFrozen()) {
                return Optional.of("it is frozen");
            }
            return candidates.stream()
                    .findFirst()
                    .map(enlisted -> enlisted.candidate().id() + " waits already");
        }

        /** Is all that stands in the way held by leases that were there at the first sight, too? A new one is alive. */
        boolean mayAllBeDead(Sight first) {
            return !observed.record().isFrozen()
                    && !leases().isEmpty()
                    && first.leases().containsAll(leases());
        }

        private Set<LeaseId> leases() {
            Set<LeaseId> leases = new HashSet<>();
            if (!observed.isVacant()) {
                observed.record().lease().ifPresent(leases::add);
            }
            candidates.forEach(enlisted -> leases.add(enlisted.lease()));
            return leases;
        }
    }
}
