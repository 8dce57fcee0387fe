package dev.incumbent.coordinator.memory;

/**
 * What lies between one client and its store: it carries each message at once, later, on another thread, or never; in which order, is
 * its own affair.
 */
public interface Wire {
    /**
     * Carries a request. Throws a {@link dev.incumbent.coordinator.CoordinatorException} that may not have applied where it surely carried
     * nothing, as a refused connection does.
     */
    void toStore(Runnable arrival);

    /** Carries an answer, or what a watch tells. */
    void toClient(Runnable arrival);

    /** A wire that carries at once, on the sender's thread. */
    static Wire direct() {
        return new Wire() {
            @Override
            public void toStore(Runnable arrival) {
                arrival.run();
            }

            @Override
            public void toClient(Runnable arrival) {
                arrival.run();
            }
        };
    }
}
