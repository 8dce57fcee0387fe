package dev.incumbent.acceptance;

/** A coordinator that can be put back to what it was, as an operator would from a backup. Used by one thread. */
interface Restorable extends AutoCloseable {
    /** For {@code --at}; the same after going back. */
    String uri();

    /** Saves all that it knows. */
    void save();

    /** Forgets all since then; returns when it answers. */
    void goBack();

    @Override
    void close();
}
