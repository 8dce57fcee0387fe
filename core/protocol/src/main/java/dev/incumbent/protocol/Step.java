package dev.incumbent.protocol;

import java.util.List;

/**
 * What a machine answers to one event: its new state, what is to be done in this order, and when it wants to be woken.
 *
 * @param wakeAtNanos on the clock of {@link Moment#nanos()}; {@link #NEVER} where only an event matters
 */
public record Step<S, E>(S state, List<E> effects, long wakeAtNanos) {
    public static final long NEVER = Long.MAX_VALUE;

    public Step {
        effects = List.copyOf(effects);
    }
}
