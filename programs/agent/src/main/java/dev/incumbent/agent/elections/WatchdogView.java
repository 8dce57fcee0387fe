package dev.incumbent.agent.elections;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How the watchdog stands.
 *
 * @param firesAtNanos when it restarts the host unless it is fed or stopped before; empty while it is stopped
 * @param works that it guards
 * @param fires is it fed no more until work has stopped that must?
 * @param gone why nothing can be done to it, if so
 */
public record WatchdogView(OptionalLong firesAtNanos, List<GuardedWork> works, boolean fires, Optional<String> gone) {
    static final WatchdogView STOPPED = new WatchdogView(OptionalLong.empty(), List.of(), false, Optional.empty());

    public WatchdogView {
        works = List.copyOf(works);
    }
}
