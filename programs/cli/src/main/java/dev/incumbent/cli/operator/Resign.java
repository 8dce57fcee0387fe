package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.telling.ResignOutcome;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code resign ELECTION}: the leader gives leadership up, and stands last. */
@Command(
        name = "resign",
        description = {
            "Asks the leader to resign, and waits until it has and, where anybody stands, the next leads.",
            "Exit 0: its term is over; 80: refused or not in time, and the same term goes on."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent resign billing/closer")
public final class Resign implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(names = "--timeout", paramLabel = "DUR", description = "How long to wait (30s); then it is taken back.")
    private Duration timeout = Duration.ofSeconds(30);

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Desk desk = Desk.ofKnown(around, at, election, List.of())) {
            Resignation ended = Desk.await(desk.operator().resign(timeout));
            return Ending.print(ResignOutcome.of(election, ended), around, output.isJson());
        }
    }
}
