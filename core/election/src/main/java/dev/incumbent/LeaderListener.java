package dev.incumbent;

/** Hears who leads an election, from any process, whether it stands there or not. */
@FunctionalInterface
public interface LeaderListener {
    /** Who leads has changed; the first call tells who leads now. One call at a time, in order, on a thread that may block. What is thrown is traced. */
    void onChange(LeaderChange change);
}
