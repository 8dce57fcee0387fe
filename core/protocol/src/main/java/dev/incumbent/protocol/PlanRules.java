package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.protocol.Tenure.Handover;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a leader owes to a transfer that was planned: it is done once its time has come by this process's wall clock, or given up where it cannot be. Nothing else is decided by a wall
 * clock: a transfer is as safe at a wrong time as at the right one.
 */
final class PlanRules {
    private PlanRules() {}

    static void pursue(Draft draft, PlannedTransfer plan) {
        if (!isDue(draft, plan)) {
            return;
        }
        if (plan.hasLapsed(draft.now.wall())) {
            giveUp(draft, plan, "it was planned for " + plan.notBefore() + ", more than an hour ago");
        } else if (draft.known.line().isEmpty()) {
            Leading.askForTheLine(draft);
        } else {
            choose(draft, plan, draft.known.line().get());
        }
    }

    /** A step of the wall clock is noticed within a lease. */
    private static boolean isDue(Draft draft, PlannedTransfer plan) {
        Instant now = draft.now.wall();
        if (plan.isDue(now)) {
            return true;
        }
        forgetTheWait(draft, plan);
        Duration lease = draft.setup.timing().lease();
        boolean isSoon = now.plus(lease).isAfter(plan.notBefore());
        Duration wait = isSoon ? Duration.between(now, plan.notBefore()) : lease;
        draft.wake(draft.now.nanos() + wait.toNanos());
        return false;
    }

    /** Set back, the clock has the plan wait: its successor is waited for anew, once its time has come again. */
    private static void forgetTheWait(Draft draft, PlannedTransfer plan) {
        Handover handover = draft.held().handover();
        boolean waits = handover.catchUp()
                .filter(wait -> wait.requestId().equals(plan.by()))
                .isPresent();
        if (waits) {
            draft.tenure = Optional.of(draft.held().handover(handover.awaiting(Optional.empty())));
        }
    }

    /** An id means itself; a name means who alone bears it. */
    private static void choose(Draft draft, PlannedTransfer plan, List<Enlisted> line) {
        List<CandidateId> meant = line.stream()
                .map(Enlisted::candidate)
                .filter(plan::means)
                .map(one -> one.id())
                .toList();
        Optional<CandidateId> exact =
                meant.stream().filter(id -> id.value().equals(plan.to())).findFirst();
        if (exact.isEmpty() && meant.size() > 1) {
            giveUp(draft, plan, "several candidates are called so");
        } else if (meant.isEmpty() && !plan.means(draft.setup.candidate())) {
            giveUp(draft, plan, "it is not among the live candidates");
        } else {
            CandidateId successor = exact.orElseGet(() -> meant.isEmpty() ? draft.me() : meant.get(0));
            handOver(draft, plan, successor);
        }
    }

    private static void handOver(Draft draft, PlannedTransfer plan, CandidateId successor) {
        if (successor.equals(draft.me())) {
            giveUp(draft, plan, "it leads already");
        } else {
            Leading.consider(draft, successor, plan.by());
        }
    }

    private static void giveUp(Draft draft, PlannedTransfer plan, String why) {
        draft.known =
                draft.known.lined(Optional.empty(), draft.known.questions().listing());
        Leading.abort(draft, new CandidateId(plan.to()), plan.by(), why);
    }
}
