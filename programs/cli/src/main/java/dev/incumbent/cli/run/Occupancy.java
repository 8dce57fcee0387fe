package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.reading.Enquiry;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
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
 * <p>Some coordinators end no lease by themselves, or not before its holder's time is over: each process has to watch a lease for its whole length before it knows it dead.
 * There this asks, always the same coordinator, until it knows. Blocks the main thread; a signal ends the wait.
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
        Optional<Sight> first = look();
        long begun = around.timeline().nanos();
        Optional<Sight> now = first;
        while (now.isPresent() && now.get().mayAllBeDead(first.orElseThrow()) && mustWatch(now.get())) {
            long left = begun
                    + longestSilence(now.get()).toNanos()
                    - around.timeline().nanos();
            if (left <= 0) {
                break;
            }
            now = pass(left).isPresent() ? Optional.empty() : look();
        }
        return now.isEmpty() ? pass(0) : now.get().obstacle().map(this::notAcquired);
    }

    /** What is not answered is asked again, for a lease's time: a client may need long for its first connection. Empty once there is a verdict. */
    private Optional<Sight> look() throws InterruptedException {
        long lease = plan.timing().lease().toNanos();
        long end = around.timeline().nanos() + lease;
        while (true) {
            try {
                return Optional.of(seen());
            } catch (CoordinatorException | Refusal unanswered) {
                if (isFinal(unanswered) || around.timeline().nanos() >= end) {
                    throw unanswered;
                }
            }
            if (pass(lease).isPresent()) {
                return Optional.empty();
            }
        }
    }

    private static boolean isFinal(RuntimeException failure) {
        return failure instanceof CoordinatorUnusableException
                || (failure instanceof Refusal refusal && refusal.exitCode() != ExitCodes.UNREACHABLE);
    }

    private Sight seen() {
        ObservedRecord observed = new Enquiry(coordinator).record(plan.election());
        return new Sight(
                observed,
                Answers.await(coordinator.candidates(Set.of(plan.election())))
                        .getOrDefault(plan.election(), List.of()));
    }

    private boolean mustWatch(Sight now) {
        return coordinator.capabilities().expiryJudgedBy() == Capabilities.ExpiryClock.OBSERVER || now.nothingIsLeft();
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

    /** Lets a request timeout pass, but no more than that; the verdict, where there is one by then. */
    private Optional<Ending> pass(long atMostNanos) throws InterruptedException {
        long pause = Math.min(atMostNanos, plan.timing().requestTimeout().toNanos());
        return stage.attend(
                around.timeline()::nanos, OptionalLong.of(around.timeline().nanos() + pause));
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

        /** Has the store ended the leader's lease, which it does not tell dead yet? */
        boolean nothingIsLeft() {
            return !observed.isVacant()
                    && observed.leaseRemaining().filter(Duration::isZero).isPresent();
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
