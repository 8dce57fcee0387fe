package dev.incumbent;

import dev.incumbent.model.FencingToken;

/**
 * The leader's own check. It makes the time short in which a late leader still acts; only a fence makes this time zero.
 *
 * <p>Thread-safe. {@link #holds()} and {@link #check()} compare clocks during the call, so a process that was paused gets the right answer to its first
 * question.
 */
public interface Guard {
    /** Does this leadership hold now? Allocates nothing and asks no server. */
    boolean holds();

    /** Returns if {@link #holds()}; else throws an exception that says which term ended and how. */
    void check() throws LeadershipLostException;

    /** The token that the leader sends to its sinks with each write. */
    FencingToken token();
}
