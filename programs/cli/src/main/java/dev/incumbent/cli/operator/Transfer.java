package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.TransferPlan;
import dev.incumbent.telling.PlanOutcome;
import dev.incumbent.telling.TimeText;
import dev.incumbent.telling.TransferOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code transfer ELECTION --to NAME|ID}: the leader hands over to a named successor, now or at a time to come. */
@Command(
        name = "transfer",
        description = {
            "Asks the leader to hand over to a named candidate, and waits until it has.",
            "With --not-before it does not wait: whoever leads then hands over, once, by its own clock, up to an hour later.",
            "Exit 0: it leads, or that is planned; 1: another leads, or nobody; 80: refused or not in time, and the same term goes on."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent transfer billing/closer --to ledger-2 --timeout 10s",
            "  $ incumbent transfer billing/closer --to ledger-2 --not-before 2026-11-28T02:00+01:00"
        })
public final class Transfer implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(
            names = "--to",
            paramLabel = "NAME|ID",
            description = "Who is to lead: a name that one candidate alone bears, or an id.")
    private @Nullable String successor;

    @Option(names = "--timeout", paramLabel = "DUR", description = "How long to wait (30s); then it is taken back.")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--not-before",
            paramLabel = "TIME",
            description = "Whoever leads then does it: 2026-11-28T02:00+01:00, 2026-11-28T01:00Z or, from now, +30m.")
    private @Nullable String notBefore;

    @Option(names = "--cancel", description = "Takes back what --not-before planned.")
    private boolean isCancelled;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        if (isCancelled && successor == null && notBefore == null) {
            return plan(around, ElectionAdmin::cancelTransfer);
        }
        if (isCancelled || successor == null || successor.isEmpty()) {
            throw Refusal.usage("a transfer needs --to NAME|ID, and --cancel stands alone");
        }
        return notBefore == null ? now(around, successor) : plan(around, planning(around, successor, notBefore));
    }

    private int plan(Surroundings around, Function<ElectionAdmin, CompletionStage<TransferPlan>> operation) {
        at.requireRecord(around, "a planned transfer");
        try (Desk desk = Desk.ofKnown(around, at, election, List.of())) {
            TransferPlan ended = Desk.await(operation.apply(desk.operator()));
            return Ending.print(PlanOutcome.of(election, ended), around, output.isJson());
        }
    }

    private int now(Surroundings around, String to) {
        try (Desk desk = Desk.ofKnown(around, at, election, List.of())) {
            RequestedTransfer ended = Desk.await(desk.operator().transferTo(to, timeout));
            return Ending.print(TransferOutcome.of(election, ended), around, output.isJson());
        }
    }

    /** What no record could hold is no matter of the store. */
    private Function<ElectionAdmin, CompletionStage<TransferPlan>> planning(
            Surroundings around, String to, String then) {
        try {
            Instant time = TimeText.parse(then, around.now());
            PlannedTransfer checked = new PlannedTransfer(OperatorName.of(around), to, time, around.now());
            return admin -> admin.planTransfer(checked.to(), checked.notBefore());
        } catch (IllegalArgumentException none) {
            throw Refusal.usage(String.valueOf(none.getMessage()));
        }
    }
}
