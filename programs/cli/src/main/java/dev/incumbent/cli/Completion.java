package dev.incumbent.cli;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Frame;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code completion}: the script by which bash and zsh complete this command line. picocli writes it, but knows no elections. */
@Command(
        name = "completion",
        description =
                "Prints the script by which bash and zsh complete this command line: verbs, flags, and the elections that there are.",
        footerHeading = "%nExample:%n",
        footer = {"  $ source <(incumbent completion)"})
final class Completion implements Verb {
    @Override
    public int run(Surroundings around) {
        around.out()
                .println(AutoComplete.bash("incumbent", new Frame(new Incumbent(), new Verbs(), around).everything()));
        around.out().print(Resource.text("elections.bash"));
        return ExitCodes.DONE;
    }
}
