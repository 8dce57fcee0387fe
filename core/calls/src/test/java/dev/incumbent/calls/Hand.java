package dev.incumbent.calls;

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
    }

    synchronized int count() {
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
