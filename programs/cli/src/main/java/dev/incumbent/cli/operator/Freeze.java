package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.telling.FreezeOutcome;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code freeze ELECTION --why TEXT}: stops all leadership, at the sinks too. */
@Command(
        name = "freeze",
        description = {
            "Stops all leadership of an election: sets the flag, closes the sinks, and waits until nobody leads on record.",
            "A leader that the record does not name may still believe for one lease: --wait quiet waits for that, too.",
            "Exit 0: every recorded sink is closed and nobody leads; 81: the flag is set, but sinks are open; 1: somebody still leads."
        },
        footerHeading = "%nExample:%n",
        footer =
                "  $ incumbent freeze billing/closer --why 'two ledgers' --sink sqlite:/var/lib/ledger.db --wait quiet")
public final class Freeze implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(names = "--why", required = true, paramLabel = "TEXT", description = "What people read in 'status'.")
    private String why = "";

    @Option(names = "--sink", paramLabel = "URL", description = "A sink to close. May come more than once.")
    private List<String> sinks = List.of();

    @Option(
            names = "--wait",
            paramLabel = "quiet",
            converter = UntilConverter.class,
            description = "Waits until nobody can believe to lead.")
    private ElectionAdmin.Until until = ElectionAdmin.Until.VACANT;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "freeze");
        try (Desk desk = Desk.open(around, at, election, sinks)) {
            if (desk.isNew(election)) {
                around.say("there was no election " + election + " here until now: look at its name");
            }
            Freezing ended = Desk.await(desk.operator().freeze(why, desk.sinks(), until));
            return Ending.print(FreezeOutcome.of(election, ended), around, output.isJson());
        }
    }

    private static final class UntilConverter implements ITypeConverter<ElectionAdmin.Until> {
        @Override
        public ElectionAdmin.Until convert(String value) {
            if (value.equals("quiet")) {
                return ElectionAdmin.Until.QUIET;
            }
            throw new TypeConversionException("'" + value + "' is nothing to wait for; 'quiet' is");
        }
    }
}
