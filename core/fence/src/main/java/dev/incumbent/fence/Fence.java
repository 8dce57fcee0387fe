package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;

/**
 * Admits a write that bears the token in force, in the same atomic step as the write.
 *
 * <p>The token passes that equals the mark. Only a raise lifts a mark: a greater token is <em>not raised here</em>, as is any token where
 * there is no mark at all. Fails closed: what cannot be compared is refused.
 */
public interface Fence {
    /**
     * Admits the transaction under way, or throws; on any exception nothing may be committed.
     *
     * @throws StaleTokenException the mark is above the token: its term is over, stop at once
     * @throws NotRaisedException the mark is below the token, or absent
     * @throws NoTransactionException the admission would end before the write begins
     * @throws NotAdmittedException the sink did not say; try again in a new transaction
     */
    void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException;
}
