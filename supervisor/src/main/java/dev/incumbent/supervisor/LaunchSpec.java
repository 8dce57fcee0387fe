package dev.incumbent.supervisor;

import java.nio.file.Path;
import java.util.Map;

/**
 * What a supervisor is launched with.
 *
 * @param binary the supervisor's program, from {@link SupervisorBinary}
 * @param environment every {@code INCUMBENT_*} variable the command gets, in place of all those inherited;
 *     {@code INCUMBENT_RUN_ID} is added
 * @param stopSignal what the command is sent at {@code stopAt} of a lease that was not renewed
 * @param ignoredSignals bit n-1 set: signal n was ignored when the wrapper began, where whoever started this JVM knows
 *     (it takes some signals for itself and hides that they were ignored); 0 otherwise
 * @param inBackground the command neither reads standard input nor ever has the terminal
 */
public record LaunchSpec(
        Path binary,
        RawCommand command,
        Map<String, String> environment,
        int stopSignal,
        long ignoredSignals,
        boolean inBackground) {
    /** The prefix of all variables that are ours. */
    static final String OURS = "INCUMBENT_";

    public LaunchSpec {
        environment = Map.copyOf(environment);
        for (String name : environment.keySet()) {
            if (!name.startsWith(OURS) || name.equals(RunMark.VARIABLE)) {
                throw new IllegalArgumentException("not a variable to be set for the command: " + name);
            }
        }
        if (stopSignal < 1 || stopSignal > 64) {
            throw new IllegalArgumentException("no signal: " + stopSignal);
        }
    }

    /** A command that takes the wrapper's place at the terminal and at standard input. */
    public LaunchSpec(
            Path binary, RawCommand command, Map<String, String> environment, int stopSignal, long ignoredSignals) {
        this(binary, command, environment, stopSignal, ignoredSignals, false);
    }
}
