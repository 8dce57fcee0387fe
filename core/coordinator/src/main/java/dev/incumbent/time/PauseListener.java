package dev.incumbent.time;

import java.time.Duration;

/** Hears what happened to a process's time. Called on its timeline's alarm thread; must return at once. */
public interface PauseListener {
    /** Nothing of this process ran for about that long, while the clocks did: it was stopped, collected or starved. */
    void paused(Duration length);

    /** The machine was suspended for about that long: the monotonic clock stood still. Told only where there is a boot-time clock. */
    void suspended(Duration length);

    /** The wall clock was set, by that much: negative is back. Where there is no boot-time clock, it may have been a suspend. */
    void wallStepped(Duration by);
}
