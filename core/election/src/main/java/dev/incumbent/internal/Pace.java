package dev.incumbent.internal;

/**
 * How much may be asked of the coordinator at a time. Each call must be answered within the request timeout, and what waits in line there counts: who asks for
 * more than is answered by then has asked for nothing. So answers that take long make it less, and prompt ones more. Owned by the loop's thread.
 */
final class Pace {
    private final int fewest;
    private final int most;
    private final long promptNanos;
    private int allowed;
    private int underWay;
    private long slowedAtNanos = Long.MIN_VALUE;

    /** Begins with the fewest; an answer within {@code promptNanos} is prompt. */
    Pace(int fewest, int most, long promptNanos) {
        this.fewest = fewest;
        this.most = most;
        this.promptNanos = promptNanos;
        this.allowed = fewest;
    }

    /** So much more may be asked now; none, or less, while enough is. */
    int room() {
        return allowed - underWay;
    }

    void asked(int count) {
        underWay += count;
    }

    /** It ended, answered or not. What was asked before it was slowed down says nothing of the new pace. */
    void ended(int count, long askedAtNanos, long nowNanos) {
        underWay -= count;
        if (nowNanos - askedAtNanos <= promptNanos) {
            allowed = Math.min(most, allowed + count);
        } else if (askedAtNanos >= slowedAtNanos) {
            allowed = Math.max(fewest, allowed / 2);
            slowedAtNanos = nowNanos;
        }
    }
}
