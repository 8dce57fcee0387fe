package dev.incumbent.cli.lab;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.lab.LabGrid;
import dev.incumbent.lab.LabScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lab run}: a scenario of one's own. */
@Command(
        name = "run",
        description = {
            "Runs a scenario of your own: a text with a line for each setting and each fault. docs/lab.md has them"
                    + " all.",
            "  members 5                          protocols raft, lease+fence",
            "  lease 15s                          length 120s",
            "  at 10s pause leader for 30s        at 60s partition minority for 20s"
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent lab run examples/lab/pause-then-partition.txt --html pause.html")
public final class LabScriptVerb implements Verb {
    @Parameters(paramLabel = "FILE", description = "The scenario.")
    private Path file = Path.of("");

    @Mixin
    private LabFlags flags = new LabFlags();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        new LabRun(around, flags, output).run(List.of(grid()), false);
        return ExitCodes.DONE;
    }

    private LabGrid grid() {
        try {
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
            LabScript script = LabScript.parse(name, Files.readAllLines(file));
            return new LabGrid(
                    script.protocols(),
                    List.of(script),
                    List.of(script.members()),
                    List.of(script.lease()),
                    script.seeds(),
                    flags.base());
        } catch (IOException failure) {
            throw Refusal.usage(file + " cannot be read: " + failure.getMessage());
        } catch (IllegalArgumentException wrong) {
            throw Refusal.usage(file + ": " + wrong.getMessage());
        }
    }
}
