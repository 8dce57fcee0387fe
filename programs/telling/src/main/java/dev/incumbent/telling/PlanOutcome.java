package dev.incumbent.telling;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.outcome.TransferPlan;
import dev.incumbent.telling.Outcome.Kind;
import java.util.List;
import java.util.Optional;

/** How planning a transfer for later, or taking that back, ended. */
public final class PlanOutcome {
    private PlanOutcome() {}

    public static Outcome of(ElectionName election, TransferPlan ended) {
        if (ended instanceof TransferPlan.Planned planned) {
            return planned(election, planned);
        }
        if (ended instanceof TransferPlan.Cancelled cancelled) {
            return cancelled(election, cancelled.was());
        }
        if (ended instanceof TransferPlan.Ambiguous many) {
            return TransferOutcome.ambiguous(election, many.name(), many.ids());
        }
        String why = ((TransferPlan.Refused) ended).why();
        return Outcome.not(Kind.REFUSED, json(election, "refused").put("why", why), election + ": " + why);
    }

    private static Outcome planned(ElectionName election, TransferPlan.Planned ended) {
        PlannedTransfer transfer = ended.transfer();
        return new Outcome(
                Kind.DONE,
                json(election, "planned")
                        .put("planned", StandingJson.of(transfer))
                        .put("changed", ended.changed())
                        .put("stands", ended.stands()),
                "whoever leads " + election + " then hands over to " + transfer.to() + ", not before "
                        + transfer.notBefore() + (ended.changed() ? "" : ", as was planned by " + transfer.by()),
                ended.stands()
                        ? List.of()
                        : List.of("nobody called " + transfer.to() + " stands in " + election
                                + " now; unless one does then, nothing is done"));
    }

    private static Outcome cancelled(ElectionName election, Optional<PlannedTransfer> was) {
        return Outcome.done(
                json(election, "cancelled").put("was", was.map(StandingJson::of)),
                was.map(one -> "the transfer of " + election + " to " + one.to() + ", not before " + one.notBefore()
                                + ", is cancelled")
                        .orElse("no transfer of " + election + " is planned"));
    }

    private static JsonObject json(ElectionName election, String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
