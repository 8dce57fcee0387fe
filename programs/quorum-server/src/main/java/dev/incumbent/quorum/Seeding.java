package dev.incumbent.quorum;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** How one start of a node begins with the seed of its folder; with nothing to do where there is none, or its log is made already. */
final class Seeding {
    private final NodeSettings settings;
    private final Optional<Seed> due;
    private final SystemTimeline timeline;
    private final Consumer<String> says;
    private final long beganNanos;

    private Seeding(NodeSettings settings, Optional<Seed> due, SystemTimeline timeline, Consumer<String> says) {
        this.settings = settings;
        this.due = due;
        this.timeline = timeline;
        this.says = says;
        this.beganNanos = timeline.nanos();
    }

    /**
     * Of a node that starts. Throws {@link NodeRefusal} where its disk was restored and the seed is not as it was.
     *
     * @param isNew has it no log yet
     */
    static Seeding of(
            NodeSettings settings, Marker found, boolean isNew, SystemTimeline timeline, Consumer<String> says)
            throws IOException {
        if (!isNew) {
            Seed.remove(settings.folder());
            return new Seeding(settings, Optional.empty(), timeline, says);
        }
        Optional<Seed> seed = Seed.read(settings.folder());
        Seed.objection(found, seed).ifPresent(why -> {
            throw new NodeRefusal("node " + settings.name() + " does not start: " + why);
        });
        return new Seeding(settings, seed, timeline, says);
    }

    /** Is a log to be made of it? */
    boolean isDue() {
        return due.isPresent();
    }

    /** Makes the log of a quorum of that id, once every lease of the lost one is over. Until then this node takes no part, and without a majority of such nodes nobody can lead. */
    void makeLog(String cluster, Path log) throws IOException, InterruptedException {
        if (due.isEmpty()) {
            return;
        }
        Seed seed = due.get();
        Duration left = seed.quiet().minusNanos(timeline.nanos() - beganNanos);
        if (left.compareTo(Duration.ZERO) > 0) {
            says.accept("node " + settings.name() + " waits " + left.toMillis()
                    + " ms more, until every lease of the lost quorum is over");
            SystemTimeline.sleep(left);
        }
        Restoring.makeLog(settings.folder(), seed, cluster, log);
        Seed.remove(settings.folder());
        says.accept("node " + settings.name() + " begins with the snapshot of "
                + seed.snapshot().header().taken());
    }
}
