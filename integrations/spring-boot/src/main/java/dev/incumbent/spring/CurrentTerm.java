package dev.incumbent.spring;

import dev.incumbent.Leadership;
import java.util.Optional;

/** In which term the present thread works, if in any. Thread-safe. */
final class CurrentTerm {
    @SuppressWarnings("ThreadLocalUsage") // One for each application context: two in one JVM share nothing.
    private final ThreadLocal<Leadership> here = new ThreadLocal<>();

    Optional<Leadership> leadership() {
        return Optional.ofNullable(here.get());
    }

    /** This thread works in that term from now on. The result is the term before, for {@link #leave}. */
    Optional<Leadership> enter(Leadership leadership) {
        Optional<Leadership> before = leadership();
        here.set(leadership);
        return before;
    }

    void leave(Optional<Leadership> before) {
        before.ifPresentOrElse(here::set, here::remove);
    }
}
