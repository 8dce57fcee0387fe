package dev.incumbent.fence;

import dev.incumbent.model.Mark;

/** How a raise ended. What is none of these is a {@link SinkException}. */
public sealed interface Raise {
    /** A raise that would lift a mark by more than this is refused: one typo would leave no number above it. */
    long FURTHEST = 1L << 32;

    /** The mark is in force, durably, and nothing older is admitted any more. */
    record Raised(Mark inForce) implements Raise {}

    /** Another mark stands in the way. */
    record Refused(Mark inForce) implements Raise {}

    /** It would lift the mark, which is {@code from} (0 where there is none), by more than {@link #FURTHEST}. */
    record TooFar(long from) implements Raise {}
}
