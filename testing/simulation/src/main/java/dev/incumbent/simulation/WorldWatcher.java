package dev.incumbent.simulation;

import java.util.List;

/** Hears what happens in one world, for a player to show. Times are true times in nanoseconds; places are those of the machines, then of the store, then of the sinks. */
public interface WorldWatcher {
    /** A message that takes so long is lost. */
    long LOST = -1;

    /** The world begins: its places by name, how many of them are machines, and the faults to come. */
    void begins(List<String> places, int machines, List<Fault> faults);

    /** A message was sent, and arrives after so long. */
    void sent(long at, int from, int to, long takes);

    /** From now on that machine believes that it leads the first election of the world, or no more. */
    void believes(long at, int machine, boolean leads);

    /** Its process has started, or is gone. */
    void isUp(long at, int machine, boolean up);

    /** Its process stands still, or no more. */
    void pauses(long at, int machine, boolean still);

    /** Something happened that a person would want to know. */
    void mark(long at, String what);
}
