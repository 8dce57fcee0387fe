package dev.incumbent.calls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Deadlines by a clock that a test sets: a task runs on the thread that sets it. */
final class Hand implements Deadlines {
    private final List<Alarm> alarms = new ArrayList<>();
    private long now;

    private record Alarm(long nanos, Runnable task) {}

    @Override
    public synchronized Runnable at(long nanos, Runnable task) {
        Alarm alarm = new Alarm(nanos, task);
        alarms.add(alarm);
        return () -> strike(alarm);
    }

    private synchronized void strike(Alarm alarm) {
        alarms.remove(alarm);
        notifyAll();
    }

    synchronized int count() {
        return alarms.size();
    }

    /** How many are left, once none is or 20 s have passed: a call that is told on another thread takes its alarm back a moment later. */
    synchronized int countAtLast() throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!alarms.isEmpty() && System.nanoTime() - end < 0) {
            wait(20);
        }
        return alarms.size();
    }

    /** Sets the clock, and runs what is due. */
    void setTo(long nanos) {
        now = nanos;
        due().forEach(alarm -> alarm.task().run());
    }

    private synchronized List<Alarm> due() {
        List<Alarm> due = alarms.stream().filter(alarm -> alarm.nanos() <= now).toList();
        alarms.removeAll(due);
        return due;
    }
}
