package dev.incumbent.coordinator;

import dev.incumbent.time.Timeline;
import java.time.Duration;

/** Opens a coordinator for elections that own it, and close it: one that no URI names, such as one in the application's own database. */
@FunctionalInterface
public interface CoordinatorSource {
    /**
     * Opens it; every call to it ends within the request timeout. Does not wait longer than that. Throws a {@link CoordinatorUnusableException} where no waiting
     * would help.
     */
    Coordinator open(Timeline timeline, Duration requestTimeout);
}
