package dev.incumbent.agent.watchdog;

import java.util.List;
import java.util.OptionalLong;

/** What happens to those who are guarded, and to the device. Times are on the agent's clock. */
public sealed interface WatchdogEvent {
    /** An owner that asked for the watchdog has a term, valid until then. Its work has not begun. */
    record Wanted(WatchKey key, long untilNanos) implements WatchdogEvent {}

    /** A renewal succeeded: that leadership is valid until then. */
    record Renewed(WatchKey key, long untilNanos) implements WatchdogEvent {}

    /** The work must stop: the term ends, or its owner is missed. */
    record Ends(WatchKey key) implements WatchdogEvent {}

    /** The work has stopped. */
    record Stopped(WatchKey key) implements WatchdogEvent {}

    /** The agent was started, and finds this device, and these whom the agent before it guarded. */
    record Found(OptionalLong firesAtNanos, List<WatchKey> keys) implements WatchdogEvent {
        public Found {
            keys = List.copyOf(keys);
        }
    }

    /** Done: the device fires then, unless it is fed or stopped before. */
    record Counts(long firesAtNanos) implements WatchdogEvent {}

    /** Done: the device is stopped. */
    record DeviceStopped() implements WatchdogEvent {}

    /** Not done. When the device fires, if it counts. */
    record Failed(OptionalLong firesAtNanos, String why) implements WatchdogEvent {}

    /** Nobody holds the device any more, so nothing can be done to it. */
    record HolderGone(String why) implements WatchdogEvent {}
}
