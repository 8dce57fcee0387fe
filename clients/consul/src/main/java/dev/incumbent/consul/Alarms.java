package dev.incumbent.consul;

/** Wakes whoever asks to be woken, by the clock of whoever asks Consul: deadlines are of that clock, too. */
public interface Alarms {
    /** Runs a task then, which never blocks; what is returned takes that back. */
    Runnable at(long nanos, Runnable task);
}
