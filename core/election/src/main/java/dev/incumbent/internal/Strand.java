package dev.incumbent.internal;

/** Runs what it is given one at a time, in order, soon; never within the call that gives it. Thread-safe. */
public interface Strand {
    /** Runs it in its turn; after {@link #close()} never. */
    void execute(Runnable task);

    /** Runs what waits already, then nothing more. */
    void close();
}
