package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;

/**
 * Admits a write that bears the token in force, in the same atomic step as the write.
 *
 * <p>Only the token that equals the mark passes. Only a raise lifts a mark, so a greater token is refused as <em>not raised here</em>; so is every token if
 * there is no mark. A token that cannot be compared is refused, too.
 */
public interface Fence {
    /**
     * Admits the current transaction, or throws. After any exception, roll back.
     *
     * @throws StaleTokenException the mark is above the token: its term is over, stop at once
     * @throws NotRaisedException the mark is below the token, or absent
     * @throws NoTransactionException the admission would end before the write begins
     * @throws NotAdmittedException the sink did not answer this question; try again in a new transaction
     */
    void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException;
}
