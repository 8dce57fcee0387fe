package dev.incumbent.lab.world;

import java.util.List;

/** Hears what happens in a world, as it happens. Places are those of members, then of the store and the sink; times are true times in nanoseconds. */
public interface RunWatcher {
    /** A takes of this says that the message is lost. */
    long LOST = -1;

    RunWatcher NONE = new RunWatcher() {};

    /** A message was sent, and arrives after so long. */
    default void sent(MessageKind kind, String label, Way way, long takes) {}

    /** From now on that member believes until then, unless it is told otherwise. */
    default void believes(int member, long until) {}

    /** Its process has started, or is gone. */
    default void isUp(int member, boolean up) {}

    /** Its process stands still until then. */
    default void pauses(int member, long until) {}

    /** A fault strikes those. */
    default void fault(LabFault fault, List<Integer> struck) {}

    /** Something happened that a person would want to know. */
    default void mark(String what) {}

    /** From where to where. */
    record Way(int from, int to) {}
}
