package dev.incumbent;

import dev.incumbent.model.FencingToken;

/**
 * The leader's own check: it narrows the window in which a late leader acts; only a fence closes it.
 *
 * <p>Thread-safe. Both questions are comparisons made at the call, so a process that was paused is told the truth by its first question.
 */
public interface Guard {
    /** Does this leadership hold at this instant? Allocates nothing, asks nobody. */
    boolean holds();

    /** {@link #holds()} or throws, saying which term ended and how. */
    void check() throws LeadershipLostException;

    /** What to show the sinks. */
    FencingToken token();
}
