package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.ThawOutcome;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thaw ELECTION}: lets the next term begin, above every mark. */
@Command(
        name = "thaw",
        description = {
            "Lets the next term of a frozen election begin, above every mark.",
            "Exit 0: it may begin; 81: a sink could not be read, and nothing was done, or not raised, and the flag stays;",
            "1: somebody still leads, or a freeze came in between."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent thaw billing/closer --sink sqlite:/var/lib/ledger.db")
public final class Thaw implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(
            names = "--sink",
            paramLabel = "URL",
            description = "A sink; every recorded one is needed. May come more than once.")
    private List<String> sinks = List.of();

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "thaw");
        try (Desk desk = Desk.ofKnown(around, at, election, sinks)) {
            dev.incumbent.outcome.Thaw ended = Desk.await(desk.operator().thaw(desk.sinks()));
            return Ending.print(ThawOutcome.of(election, ended), around, output.isJson());
        }
    }
}
