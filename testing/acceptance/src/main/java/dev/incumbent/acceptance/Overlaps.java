package dev.incumbent.acceptance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When two led at one instant, look by look; for some time after an instant that is excused, and measured instead. Used under its witness's lock. */
final class Overlaps {
    private final List<String> unexcused = new ArrayList<>();
    private long excusedUntilNanos;
    private boolean isExcusing;
    private long sinceNanos;
    private boolean isUnderWay;
    private int excused;
    private long longestNanos;

    /** From now on, for that long. */
    void excuse(long nowNanos, Duration length) {
        isExcusing = true;
        excusedUntilNanos = nowNanos + length.toNanos();
    }

    /** What one look saw; nothing if all was well. */
    void looked(long nowNanos, List<String> seen) {
        if (isExcusing && nowNanos - excusedUntilNanos > 0) {
            isExcusing = false;
        }
        if (seen.isEmpty()) {
            isUnderWay = false;
        } else if (isExcusing) {
            measure(nowNanos);
        } else {
            unexcused.addAll(seen);
        }
    }

    private void measure(long nowNanos) {
        if (!isUnderWay) {
            isUnderWay = true;
            sinceNanos = nowNanos;
            excused++;
        }
        longestNanos = Math.max(longestNanos, nowNanos - sinceNanos);
    }

    List<String> unexcused() {
        return List.copyOf(unexcused);
    }

    /** How many were excused. */
    int excused() {
        return excused;
    }

    /** From the first look to the last that saw it, of the longest that was excused. */
    Duration longestExcused() {
        return Duration.ofNanos(longestNanos);
    }
}
