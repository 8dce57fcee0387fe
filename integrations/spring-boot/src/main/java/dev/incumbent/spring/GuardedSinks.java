package dev.incumbent.spring;

import dev.incumbent.fence.Sink;
import java.util.List;

/** The sinks that every candidacy of the application raises before it leads. */
record GuardedSinks(List<Sink> all) {
    GuardedSinks {
        all = List.copyOf(all);
    }
}
