package dev.incumbent.cli.lab;

import dev.incumbent.cli.frame.Refusal;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags that all runs of the lab have. */
final class LabFlags {
    @Option(
            names = "--base",
            paramLabel = "N",
            defaultValue = "1",
            description = "What the seeds are derived from; ${DEFAULT-VALUE}.")
    private long base = 1;

    @Option(
            names = "--jobs",
            paramLabel = "J",
            description = "How many runs at once; as many as processors unless said.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description =
                    "Writes a page there that needs no network: the table, and for each protocol and scenario one run"
                            + " to play.")
    private Optional<Path> html = Optional.empty();

    long base() {
        return base;
    }

    int threads() {
        int threads = jobs.orElseGet(() -> Runtime.getRuntime().availableProcessors());
        if (threads < 1) {
            throw Refusal.usage("--jobs is at least 1; it is " + threads);
        }
        return threads;
    }

    Optional<Path> html() {
        return html;
    }
}
