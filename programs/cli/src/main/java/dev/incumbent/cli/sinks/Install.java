package dev.incumbent.cli.sinks;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.JsonObject;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code install}: makes what a coordinator needs beforehand, and tries that it answers. */
@Command(
        name = "install",
        description =
                "Makes what a coordinator needs beforehand, such as its file or its tables; what is there stays as it is.",
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent install --at file:/var/lib/incumbent/coordinator.db"})
public final class Install implements Verb {
    /** A table of DynamoDB takes some ten seconds to come. */
    private static final Duration INSTALLING = Duration.ofMinutes(1);

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.install(around, INSTALLING);
        try (Coordinator coordinator = at.open(around, Mode.CREATE, Answers.CALL_BOUND)) {
            Answers.await(coordinator.elections(""));
            Capabilities can = coordinator.capabilities();
            if (output.isJson()) {
                around.out()
                        .println(new JsonObject()
                                .put("at", at.label(around))
                                .put("consistency", can.consistency().name())
                                .put("leaseFloorMs", can.leaseFloor().toMillis())
                                .put("expiryJudgedBy", can.expiryJudgedBy().name()));
            } else {
                around.out()
                        .println(at.label(around) + " is ready: " + words(can.consistency()) + "; shortest lease "
                                + DurationText.format(can.leaseFloor()) + "; timed by " + words(can.expiryJudgedBy()));
            }
            return ExitCodes.DONE;
        }
    }

    private static String words(Capabilities.Consistency consistency) {
        return switch (consistency) {
            case LINEARIZABLE -> "linearizable";
            case BEST_EFFORT -> "best effort, safe only with fences";
        };
    }

    private static String words(Capabilities.ExpiryClock clock) {
        return switch (clock) {
            case SERVER_MONOTONIC -> "the server's clock";
            case SERVER_WALL -> "the server's wall clock";
            case MACHINE -> "this machine's clock";
            case OBSERVER -> "each candidate's own clock";
        };
    }
}
