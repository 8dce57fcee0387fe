package dev.incumbent.outcome;

import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;

/** How a person's confirmation that a holder acts no more ended. */
public sealed interface HolderConfirmation extends OperatorOutcome {
    /**
     * The record lists it no more.
     *
     * @param isInHistory the history has that term, and tells the proof with it
     */
    record Confirmed(Holder holder, HolderProof proof, boolean isInHistory) implements HolderConfirmation {}

    /** The record names it as the leader, under a lease that lives: it may act, whatever anybody says. Nothing was done. */
    record Leads(Holder holder) implements HolderConfirmation {}

    /** The record lists no holder of that term on that node: nothing was done. */
    record NotListed(Holders listed) implements HolderConfirmation {}
}
