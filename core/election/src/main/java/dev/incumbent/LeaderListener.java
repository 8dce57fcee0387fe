package dev.incumbent;

/** Is told who leads an election. Any process may have one; it need not be a candidate. */
@FunctionalInterface
public interface LeaderListener {
    /** The leader has changed; the first call tells who leads now. One call at a time, in order, on a thread that may block. An exception is traced. */
    void onChange(LeaderChange change);
}
