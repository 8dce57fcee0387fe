package dev.incumbent.examples;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionStatus;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Turns;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.outcome.Retirement;
import dev.incumbent.outcome.TransferPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Hands an election over before its leader is restarted. */
public final class RollingRestart {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private RollingRestart() {}

    /** Asked for from outside: to the first who stands in line, or else just away from who leads. */
    public static boolean isMovedAway(ElectionAdmin admin) {
        ElectionStatus status = admin.status().toCompletableFuture().join();
        LeaderRecord record = status.observed().record();
        Optional<String> leader = record.leader().map(led -> led.name());
        Optional<String> successor = Turns.of(record).inOrder(status.candidates()).stream()
                .map(Enlisted::candidate)
                .map(candidate -> candidate.name())
                .filter(name -> !leader.equals(Optional.of(name)))
                .findFirst();
        if (successor.isPresent()) {
            RequestedTransfer moved = admin.transferTo(successor.get(), BOUND)
                    .toCompletableFuture()
                    .join();
            return moved instanceof RequestedTransfer.Transferred;
        }
        Resignation resigned = admin.resign(BOUND).toCompletableFuture().join();
        return resigned instanceof Resignation.Resigned;
    }

    /** Left to whoever leads then, such as at the beginning of a maintenance window. Says why it cannot be, or nothing. */
    public static Optional<String> planMove(ElectionAdmin admin, String successor, Instant notBefore) {
        TransferPlan plan =
                admin.planTransfer(successor, notBefore).toCompletableFuture().join();
        return plan instanceof TransferPlan.Refused refused ? Optional.of(refused.why()) : Optional.empty();
    }

    /** Tells when it would have been, if one was planned. */
    public static Optional<Instant> cancelMove(ElectionAdmin admin) {
        TransferPlan plan = admin.cancelTransfer().toCompletableFuture().join();
        return plan instanceof TransferPlan.Cancelled cancelled
                ? cancelled.was().map(PlannedTransfer::notBefore)
                : Optional.empty();
    }

    /** By the leader itself: says why it could not, or nothing. */
    public static Optional<String> handOver(Candidacy candidacy, CandidateId successor) {
        Transfer transfer =
                candidacy.transferTo(successor).toCompletableFuture().join();
        return transfer instanceof Transfer.Aborted aborted ? Optional.of(aborted.why()) : Optional.empty();
    }

    /** Until it is restarted for good, a host leads only what nobody else can. Tells who cordoned it, if somebody else had done so before. */
    public static Optional<String> cordon(ElectionAdmin admin, String host, String why) {
        Cordoning ended = admin.cordon(host, why).toCompletableFuture().join();
        return ended instanceof Cordoning.Cordoned cordoned && !cordoned.changed()
                ? Optional.of(cordoned.cordon().by())
                : Optional.empty();
    }

    /** Says whether it was cordoned. */
    public static boolean uncordon(ElectionAdmin admin, String host) {
        Cordoning ended = admin.uncordon(host).toCompletableFuture().join();
        return ended instanceof Cordoning.Uncordoned uncordoned && uncordoned.changed();
    }

    /** A ledger that is no more must not keep candidates from standing. */
    public static boolean retire(ElectionAdmin admin, String sink) {
        Retirement retired =
                admin.retireSink(new SinkId(sink)).toCompletableFuture().join();
        return retired instanceof Retirement.Done done && done.changed();
    }
}
