package dev.incumbent.internal;

import dev.incumbent.LastResort;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * How the tasks of a process run, and what is done about one that does not stop.
 *
 * @param executor runs them; a thread each where there is none
 * @param keepsLease a task that does not stop, and that nothing fences, does not end the session
 */
public record TaskRules(Optional<Executor> executor, boolean keepsLease, Optional<LastResort> lastResort) {
    public static final TaskRules DEFAULT = new TaskRules(Optional.empty(), false, Optional.empty());

    public TaskRules on(Executor chosen) {
        return new TaskRules(Optional.of(chosen), keepsLease, lastResort);
    }

    public TaskRules keepingTheLease() {
        return new TaskRules(executor, true, lastResort);
    }

    public TaskRules with(LastResort resort) {
        return new TaskRules(executor, keepsLease, Optional.of(resort));
    }
}
