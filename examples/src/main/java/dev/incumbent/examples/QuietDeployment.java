package dev.incumbent.examples;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionAdmin.Until;
import dev.incumbent.fence.Sink;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;
import dev.incumbent.outcome.Thaw;
import java.util.List;
import java.util.function.Consumer;

/** Lets nobody lead while the schema changes. */
public final class QuietDeployment {
    private final ElectionAdmin admin;
    private final List<Sink> sinks;

    /** Of the election that an admin such as {@code elections.admin("billing/closer")} is for, with every sink of its record. */
    public QuietDeployment(ElectionAdmin admin, List<Sink> sinks, Consumer<Progress> shown) {
        this.admin = admin.reporting(shown);
        this.sinks = List.copyOf(sinks);
    }

    /** Freezes, changes, thaws. Where the freeze is not quiet and closed nothing is changed, and the freeze stays: a person decides. */
    public void run(Runnable change) {
        Freezing freezing = admin.freeze("deploying 4.2", sinks, Until.QUIET)
                .toCompletableFuture()
                .join();
        require(freezing instanceof Freezing.Frozen frozen && frozen.isQuiet() && frozen.isClosed(), freezing);
        change.run();
        Thaw thaw = admin.thaw(sinks).toCompletableFuture().join();
        if (thaw instanceof Thaw.NotRaised left) {
            throw new IllegalStateException(
                    "still closed: " + left.sinks().stream().map(OpenSink::sink).toList());
        }
        require(thaw instanceof Thaw.Thawed, thaw);
    }

    private static void require(boolean isSo, OperatorOutcome outcome) {
        if (!isSo) {
            throw new IllegalStateException("it ended otherwise: " + outcome);
        }
    }
}
