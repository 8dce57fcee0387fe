package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.time.Timeline;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/** Keeps time with another timeline, and remembers which alarms are set. None rings. */
final class Alarms implements Timeline {
    private final Timeline time;
    private final Set<Long> set = new HashSet<>();

    Alarms(Timeline time) {
        this.time = time;
    }

    Set<Long> set() {
        return set;
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public long wallMillis() {
        return time.wallMillis();
    }

    @Override
    public OptionalLong bootNanos() {
        return time.bootNanos();
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        set.add(nanos);
        return () -> set.remove(nanos);
    }
}
