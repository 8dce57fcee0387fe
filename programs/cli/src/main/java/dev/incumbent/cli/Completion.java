package dev.incumbent.cli;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Frame;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code completion}: the script by which bash and zsh complete this command line. */
@Command(
        name = "completion",
        description = "Prints the script by which bash and zsh complete this command line.",
        footerHeading = "%nExample:%n",
        footer = {"  $ source <(incumbent completion)"})
final class Completion implements Verb {
    @Override
    public int run(Surroundings around) {
        around.out()
                .println(AutoComplete.bash("incumbent", new Frame(new Incumbent(), new Verbs(), around).everything()));
        return ExitCodes.DONE;
    }
}
