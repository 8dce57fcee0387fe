package dev.incumbent.outcome;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.PlannedTransfer;
import java.util.List;
import java.util.Optional;

/** How planning a transfer for later, or taking that back, ended. */
public sealed interface TransferPlan extends OperatorOutcome {
    /**
     * It is planned; whoever leads then does it.
     *
     * @param changed false where the same was planned before, which is what is told
     * @param stands somebody is called so, and stands or leads now
     */
    record Planned(PlannedTransfer transfer, boolean changed, boolean stands) implements TransferPlan {}

    /** Nothing is planned any more; {@code was} is what was taken back, if anything was. */
    record Cancelled(Optional<PlannedTransfer> was) implements TransferPlan {}

    /** Several candidates bear that name; nothing was done. */
    record Ambiguous(String name, List<CandidateId> ids) implements TransferPlan {
        public Ambiguous {
            ids = List.copyOf(ids);
        }
    }

    /** It cannot be; nothing was done. */
    record Refused(String why) implements TransferPlan {}
}
