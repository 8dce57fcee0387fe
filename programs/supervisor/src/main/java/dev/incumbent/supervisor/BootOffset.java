package dev.incumbent.supervisor;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * What to add to the wrapper's monotonic clock to get the supervisor's boot-time clock, never too much: a deadline
 * converted by it may come early, by the delay of a message, but never late.
 *
 * <p>The two differ by each suspend of the machine. A lease counts a suspend that came after its request was sent, so
 * it is converted by what was known <em>before</em> that. Thread-safe: what one supervisor's words have taught serves the
 * next one, which is launched in the middle of a lease.
 */
public final class BootOffset {
    private static final int MOST_READINGS = 64;

    private record Reading(long receivedAtNanos, long offsetNanos) {}

    /** Each above the one before; the last is the greatest. */
    private final ArrayDeque<Reading> readings = new ArrayDeque<>();

    /** Nothing is known yet. */
    public BootOffset() {}

    /** The supervisor read {@code bootNanos} from its clock some time before {@code receivedAtNanos}. */
    synchronized void note(long receivedAtNanos, long bootNanos) {
        long offset = bootNanos - receivedAtNanos;
        if (readings.isEmpty() || offset > readings.getLast().offsetNanos()) {
            readings.addLast(new Reading(receivedAtNanos, offset));
        }
        if (readings.size() > MOST_READINGS) {
            readings.removeFirst();
        }
    }

    /** The greatest offset known before the given instant; empty if there was none. */
    synchronized OptionalLong knownBefore(long nanos) {
        for (Iterator<Reading> latestFirst = readings.descendingIterator(); latestFirst.hasNext(); ) {
            Reading reading = latestFirst.next();
            if (reading.receivedAtNanos() - nanos < 0) {
                return OptionalLong.of(reading.offsetNanos());
            }
        }
        return OptionalLong.empty();
    }

    /** The greatest offset known. */
    synchronized long latest() {
        return readings.getLast().offsetNanos();
    }
}
