package dev.incumbent;

import dev.incumbent.model.Term;
import java.util.concurrent.TimeUnit;

/**
 * What is done about a task that does not return within the stop budget after it was told to stop, while another process may soon lead. It is taken once a term at most, when the budget has
 * passed; after a pause of the process that outlasted it, at once. Where a term ends with its lease, the budget ends with the term's validity.
 *
 * <p>It is called on the thread that stops tasks, which shares nothing with renewal, and must return at once or not at all. See {@link Elections.Builder#lastResort}.
 */
@FunctionalInterface
public interface LastResort {
    /** How long a log may take to say why. */
    int LAST_WORDS_MILLIS = 200;

    void take(Term term);

    /**
     * Ends this process with that status, by {@link Runtime#halt}: no shutdown hook runs and nothing is closed, since each of these may wait for the very task that does not return. Before it
     * does so it logs an error, for which it waits a fifth of a second at most.
     */
    static LastResort halt(int status) {
        return term -> {
            try {
                sayWhy(term);
            } finally {
                Runtime.getRuntime().halt(status);
            }
        };
    }

    private static void sayWhy(Term term) {
        String why = term.election() + ": the task of token " + term.number()
                + " did not return within its stop budget, so this process halts";
        Thread log = new Thread(
                () -> System.getLogger(Elections.LOGGER).log(System.Logger.Level.ERROR, why), "incumbent-last-words");
        log.setDaemon(true);
        log.start();
        try {
            TimeUnit.MILLISECONDS.timedJoin(log, LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
