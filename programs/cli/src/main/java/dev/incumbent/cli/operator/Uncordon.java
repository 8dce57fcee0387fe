package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code uncordon WHOM [ELECTION|PREFIX]}: its candidates stand in the usual order again. */
@Command(
        name = "uncordon",
        description = {
            "Takes a cordon back: its candidates stand in the usual order again.",
            "Exit 0: it is cordoned in none of the elections; 69, 78: some, which are named, are not written."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent uncordon ledger-1")
public final class Uncordon implements Verb {
    @Parameters(index = "0", paramLabel = "WHOM", description = "The very word that was cordoned: see 'status NAME'.")
    private String whom = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ELECTION|PREFIX",
            description = "Only this election, or all beneath it where it ends in '/'. Default: all that there are.")
    private String prefix = "";

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "uncordon");
        return new Cordons(around, whom, output.isJson()).lift(at, prefix);
    }
}
