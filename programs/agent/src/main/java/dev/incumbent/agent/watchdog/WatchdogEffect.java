package dev.incumbent.agent.watchdog;

/** What is done to the device, and told to those whom it guards. Each of the first two is answered by one event. */
public sealed interface WatchdogEffect {
    /** The device fires no later than that: it starts to count, or is fed. */
    record Count(long untilNanos) implements WatchdogEffect {}

    /** The device is stopped. */
    record StopDevice() implements WatchdogEffect {}

    /** The next agent shall know that this one is guarded. */
    record Remember(WatchKey key) implements WatchdogEffect {}

    /** The next agent need not know of it. */
    record Forget(WatchKey key) implements WatchdogEffect {}

    /** The work is guarded, and may go on; the device fires then, unless it is fed or stopped before. */
    record Guards(WatchKey key, long firesAtNanos) implements WatchdogEffect {}

    /** The work is not guarded, or not in time: it must not begin, or must stop. */
    record Unguarded(WatchKey key, String why) implements WatchdogEffect {}
}
