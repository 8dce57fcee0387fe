package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.telling.TransferOutcome;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code transfer ELECTION --to NAME|ID}: the leader hands over to a named successor. */
@Command(
        name = "transfer",
        description = {
            "Asks the leader to hand over to a named candidate, and waits until it has.",
            "Exit 0: it leads; 1: another leads, or nobody; 80: refused or not in time, and the same term goes on."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent transfer billing/closer --to ledger-2 --timeout 10s")
public final class Transfer implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(
            names = "--to",
            required = true,
            paramLabel = "NAME|ID",
            description = "Who is to lead: a name that one candidate alone bears, or an id.")
    private String successor = "";

    @Option(names = "--timeout", paramLabel = "DUR", description = "How long to wait (30s); then it is taken back.")
    private Duration timeout = Duration.ofSeconds(30);

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Desk desk = Desk.ofKnown(around, at, election, List.of())) {
            RequestedTransfer ended = Desk.await(desk.operator().transferTo(successor, timeout));
            return Ending.print(TransferOutcome.of(election, ended), around, output.isJson());
        }
    }
}
