package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.telling.Outcome;

/** How a verb ends: it prints what came of a request, for people or for programs, and has an exit code. */
final class Ending {
    private Ending() {}

    static int print(Outcome outcome, Surroundings around, boolean asJson) {
        if (asJson) {
            around.out().println(outcome.json());
        } else if (!outcome.done().isEmpty()) {
            around.out().println(outcome.done());
        }
        outcome.said().forEach(around::say);
        return exitCode(outcome.kind());
    }

    static int exitCode(Outcome.Kind kind) {
        return switch (kind) {
            case DONE -> ExitCodes.DONE;
            case NOT_SO -> ExitCodes.NOT_SO;
            case REFUSED, LATE -> ExitCodes.TAKEN_BACK;
            case AMBIGUOUS -> ExitCodes.USAGE;
            case SINKS_OPEN -> ExitCodes.SINK;
        };
    }
}
