package dev.incumbent.spring;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Refuses a term to a thread that is in a transaction: its connection was taken before, and so is not fenced. */
final class TransactionCheck implements EntryCheck {
    @Override
    public void beforeEntering(String election) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("a method of the leader of " + election
                    + " was called in a transaction that began outside of it, on a connection that is not fenced:"
                    + " begin the transaction in the method (@Transactional on it works), or call it outside");
        }
    }
}
