package dev.incumbent.coordinator.tck;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A real clock that a test may step, whose alarms go off when the test says so, and that tells who has looked at it. */
public final class HandRung implements Timeline {
    private final Timeline real;
    private final List<Runnable> alarms = new CopyOnWriteArrayList<>();
    private final AtomicLong aheadNanos = new AtomicLong();
    private final Map<String, Integer> looks = new ConcurrentHashMap<>();

    public HandRung(Timeline real) {
        this.real = real;
    }

    /** Lets all alarms go off that wait. */
    public void ring() {
        alarms.forEach(Runnable::run);
    }

    public int alarms() {
        return alarms.size();
    }

    public void step(Duration by) {
        aheadNanos.addAndGet(by.toNanos());
    }

    /** Waits until a thread looks at the clock once more. */
    public void awaitLookBy(String thread) {
        int before = looks.getOrDefault(thread, 0);
        while (looks.getOrDefault(thread, 0) == before) {
            Thread.onSpinWait();
        }
    }

    @Override
    public long nanos() {
        looks.merge(Thread.currentThread().getName(), 1, Integer::sum);
        return real.nanos() + aheadNanos.get();
    }

    @Override
    public long wallMillis() {
        return real.wallMillis();
    }

    @Override
    public OptionalLong bootNanos() {
        return real.bootNanos();
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        alarms.add(task);
        return () -> alarms.remove(task);
    }
}
