package dev.incumbent.cli.run;

import dev.incumbent.Stonith;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which former leaders are turned off. The file is read elsewhere, so that a run without them loads no class of fence agents. */
public final class StonithFlags {
    @Option(
            names = "--stonith",
            paramLabel = "FILE",
            description = {
                "Turns off whoever may still act before the work of a term begins (STONITH), by the fence devices of that",
                "file: Pacemaker's agents, or commands. From the first term on, the election asks that of every candidate,",
                "for good."
            })
    private @Nullable Path file;

    @Option(
            names = "--stonith-node",
            paramLabel = "NODE",
            description = "What the others' files call this machine (the host's name).")
    private @Nullable String node;

    @Option(
            names = "--stonith-timeout",
            paramLabel = "DUR",
            description =
                    "How long an agent may take for off and status together (as long as the lease lets it, 13s of 15s).")
    private @Nullable Duration timeout;

    /** How others are turned off, for a process whose end is the end of its work; empty where nobody is. */
    Optional<Stonith> stonith(Timing timing, Surroundings around) {
        return settings().map(all -> all.in(timing, around.timeline()));
    }

    /** The same, for a process that leads for other programs. */
    public Optional<Stonith> stonithForOthers(Timing timing, Surroundings around) {
        return settings().map(all -> all.forOthers().in(timing, around.timeline()));
    }

    private Optional<StonithSettings> settings() {
        if (file == null) {
            if (node != null || timeout != null) {
                throw Refusal.usage((node != null ? "--stonith-node" : "--stonith-timeout")
                        + " has no effect without --stonith FILE");
            }
            return Optional.empty();
        }
        return Optional.of(StonithSettings.read(file, Optional.ofNullable(node), Optional.ofNullable(timeout)));
    }
}
