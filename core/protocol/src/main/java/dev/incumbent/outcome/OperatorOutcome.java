package dev.incumbent.outcome;

/** How an operation ended. */
public sealed interface OperatorOutcome
        permits RequestedTransfer,
                Resignation,
                Freezing,
                Thaw,
                Cordoning,
                TransferPlan,
                HolderConfirmation,
                Retirement,
                OperatorOutcome.Failed {
    /**
     * The coordinator gave no answer in time.
     *
     * @param mayHaveApplied something of it may have been written, or may yet
     * @param unusable trying again without a change does not help
     */
    record Failed(String why, boolean mayHaveApplied, boolean unusable) implements OperatorOutcome {}
}
