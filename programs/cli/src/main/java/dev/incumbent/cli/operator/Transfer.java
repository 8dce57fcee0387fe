package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.RequestedTransfer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
            return outcome(Desk.await(desk.operator().transferTo(successor, timeout)))
                    .print(around, output.isJson());
        }
    }

    private Outcome outcome(RequestedTransfer ended) {
        if (ended instanceof RequestedTransfer.Transferred now) {
            return Outcome.done(
                    Outcome.with(json("transferred", now.term(), Optional.of(now.leader())), "gapMs", now.gap()),
                    now.leader() + " leads " + election + ", token " + now.term() + ", " + Outcome.gap(now.gap()));
        }
        if (ended instanceof RequestedTransfer.LeadsAlready now) {
            return Outcome.done(
                    json("leads-already", now.term(), Optional.of(now.leader())),
                    now.leader() + " leads " + election + " already, token " + now.term());
        }
        if (ended instanceof RequestedTransfer.AnotherLeads other) {
            return Outcome.not(
                    ExitCodes.NOT_SO,
                    json("another-leads", other.term(), Optional.of(other.leader())),
                    "another leads " + election + " than was asked for: " + other.leader() + ", token " + other.term());
        }
        if (ended instanceof RequestedTransfer.NobodyLeads nobody) {
            return Outcome.not(
                    ExitCodes.NOT_SO,
                    json("nobody-leads", nobody.term(), Optional.empty()).put("why", nobody.why()),
                    "term " + nobody.term() + " of " + election + " is over, and nobody leads: " + nobody.why());
        }
        return refusal(ended);
    }

    private Outcome refusal(RequestedTransfer ended) {
        if (ended instanceof RequestedTransfer.TakenBack same) {
            return Outcome.not(
                    ExitCodes.TAKEN_BACK,
                    json("taken-back", same.term(), Optional.of(same.leader())).put("why", same.why()),
                    "term " + same.term() + " of " + election + " goes on under " + same.leader() + ": " + same.why());
        }
        if (ended instanceof RequestedTransfer.Ambiguous many) {
            return Outcome.not(
                    ExitCodes.USAGE,
                    new JsonObject()
                            .put("election", election.value())
                            .put("outcome", "ambiguous")
                            .putStrings("ids", many.ids()),
                    "--to " + many.name() + " means several candidates of " + election + ": "
                            + many.ids().stream().map(id -> id.value()).collect(Collectors.joining(" ")));
        }
        String why = ((RequestedTransfer.Refused) ended).why();
        return Outcome.not(
                ExitCodes.TAKEN_BACK,
                new JsonObject()
                        .put("election", election.value())
                        .put("outcome", "refused")
                        .put("why", why),
                election + ": " + why);
    }

    private JsonObject json(String outcome, long term, Optional<Candidate> leader) {
        return new JsonObject()
                .put("election", election.value())
                .put("outcome", outcome)
                .put("term", term)
                .put("token", term)
                .put("leader", leader.map(Outcome::json));
    }
}
