package dev.incumbent.cli.run;

import dev.incumbent.supervisor.SupervisorUnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A line for the shell that is bounded in time and outside of any term. */
final class Hook {
    private Hook() {}

    /** Returns when nothing of it is left; whether it succeeded, or empty where it could not be started, which people are told. */
    static Optional<Boolean> run(Launchpad pad, String line, Map<String, String> environment, Duration bound) {
        try {
            SupervisedProcess process = pad.launchHook(line, environment);
            process.vouchFor(bound);
            SupervisedProcess.End end = process.runToItsEnd(
                    () -> {
                        process.start();
                        return true;
                    },
                    Duration.ZERO);
            return end.isForLack() ? Optional.empty() : Optional.of(end.isSuccess());
        } catch (SupervisorUnavailableException e) {
            pad.tell(e);
            return Optional.empty();
        }
    }
}
