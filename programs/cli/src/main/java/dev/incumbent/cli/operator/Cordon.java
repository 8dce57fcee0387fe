package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordon WHOM [ELECTION|PREFIX] --why TEXT}: a host's candidates, or one, stand behind all others. */
@Command(
        name = "cordon",
        description = {
            "Has a host's candidates stand behind all others, also those that come later. It only delays them: one of them",
            "leads where nobody else can. A leader leads on, unless it --moves-to-better; 'drain' or 'transfer' moves it.",
            "Exit 0: it is cordoned in each of the elections; 1: a record has no room; 69, 78: some, which are named, are not written."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent cordon ledger-1 --why 'new disk' && incumbent drain ledger-1")
public final class Cordon implements Verb {
    @Parameters(
            index = "0",
            paramLabel = "WHOM",
            description = "A host, as candidates' ids name it; or the name or the id of a candidate.")
    private String whom = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ELECTION|PREFIX",
            description = "Only this election, or all beneath it where it ends in '/'. Default: all that there are.")
    private String prefix = "";

    @Option(
            names = "--why",
            required = true,
            paramLabel = "TEXT",
            description = "What people read in 'status'; at most 200 characters.")
    private String why = "";

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "cordon");
        return new Cordons(around, whom, output.isJson()).set(at, prefix, why);
    }
}
