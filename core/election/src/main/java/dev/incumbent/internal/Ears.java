package dev.incumbent.internal;

import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;

/** Who hears what happens in a process: the steps as they are, and what a person would ask about. */
public record Ears(Trace trace, ElectionListener listener) {
    public static final Ears NONE = new Ears(Trace.NONE, ElectionListener.NONE);
}
