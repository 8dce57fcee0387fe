package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code server snapshot check}: is a file a whole snapshot that this build can restore, and of what. */
@Command(
        name = "check",
        description =
                "Checks that FILE is as it was saved and can be restored by this version, and prints what it holds.",
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent server snapshot check monday.snapshot"})
public final class SnapshotCheck implements Verb {
    @Parameters(paramLabel = "FILE", description = "What was saved.")
    private Path file = Path.of("");

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        SnapshotFacts facts = SnapshotFacts.of(file);
        facts.print("whole", around, output);
        if (!output.isJson()) {
            facts.printElections(around);
        }
        return ExitCodes.DONE;
    }
}
