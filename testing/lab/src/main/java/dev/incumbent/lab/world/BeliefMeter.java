package dev.incumbent.lab.world;

import java.util.Arrays;

/** Adds up for how long nobody, and for how long several members believed that they lead. Times are true times in nanoseconds. */
final class BeliefMeter {
    private final long[] until;
    private long countedTo;
    private long none;
    private long several;

    BeliefMeter(int members) {
        this.until = new long[members];
    }

    /** From now on that member believes until then, unless it is told otherwise. */
    void believes(int member, long now, long until) {
        if (this.until[member] != until) {
            count(now);
            this.until[member] = until;
        }
    }

    boolean isBelieving(int member, long now) {
        return until[member] > now;
    }

    int believers(long now) {
        return (int) Arrays.stream(until).filter(end -> end > now).count();
    }

    void countAnew(long now) {
        count(now);
        none = 0;
        several = 0;
    }

    /** Counts what has passed by then. */
    void count(long now) {
        while (countedTo < now) {
            long next = now;
            int believers = 0;
            for (long end : until) {
                if (end > countedTo) {
                    believers++;
                    next = Math.min(next, end);
                }
            }
            if (believers == 0) {
                none += next - countedTo;
            } else if (believers > 1) {
                several += next - countedTo;
            }
            countedTo = next;
        }
    }

    long none() {
        return none;
    }

    long several() {
        return several;
    }
}
