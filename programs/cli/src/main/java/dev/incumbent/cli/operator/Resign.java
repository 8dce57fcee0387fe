package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Resignation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
            return outcome(Desk.await(desk.operator().resign(timeout))).print(around, output.isJson());
        }
    }

    private Outcome outcome(Resignation ended) {
        if (ended instanceof Resignation.Resigned resigned) {
            return resigned(resigned);
        }
        if (ended instanceof Resignation.TakenBack same) {
            return Outcome.not(
                    ExitCodes.TAKEN_BACK,
                    json("taken-back")
                            .put("term", same.term())
                            .put("leader", Outcome.json(same.leader()))
                            .put("why", same.why()),
                    "term " + same.term() + " of " + election + " goes on under " + same.leader() + ": " + same.why());
        }
        String why = ((Resignation.Refused) ended).why();
        return Outcome.not(ExitCodes.TAKEN_BACK, json("refused").put("why", why), election + ": " + why);
    }

    private Outcome resigned(Resignation.Resigned ended) {
        JsonObject json = json("resigned").put("ended", ended.term()).put("previous", Outcome.json(ended.leader()));
        String over = "term " + ended.term() + " of " + election + " is over";
        Optional<Resignation.Next> next = ended.next();
        if (next.isEmpty()) {
            return Outcome.done(json.putNull("token").putNull("leader").putNull("gapMs"), over + ", nobody leads");
        }
        Resignation.Next now = next.get();
        return Outcome.done(
                Outcome.with(
                        json.put("token", now.term()).put("leader", Outcome.json(now.leader())), "gapMs", now.gap()),
                over + ", " + now.leader() + " leads, token " + now.term() + ", " + Outcome.gap(now.gap()));
    }

    private JsonObject json(String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
