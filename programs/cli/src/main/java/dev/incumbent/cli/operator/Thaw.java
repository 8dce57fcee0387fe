package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.Thaw.NotFrozen;
import dev.incumbent.outcome.Thaw.NotRaised;
import dev.incumbent.outcome.Thaw.NotRead;
import dev.incumbent.outcome.Thaw.Refused;
import dev.incumbent.outcome.Thaw.Thawed;
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
        try (Desk desk = Desk.ofKnown(around, at, election, sinks)) {
            return outcome(Desk.await(desk.operator().thaw(desk.sinks()))).print(around, output.isJson());
        }
    }

    private Outcome outcome(dev.incumbent.outcome.Thaw ended) {
        if (ended instanceof Thawed thawed) {
            return Outcome.done(
                    json("thawed").put("term", thawed.term()),
                    election + " is thawed; the next term is above " + thawed.term());
        }
        if (ended instanceof NotRead left) {
            return sinks("not-read", left.sinks(), "nothing was done");
        }
        if (ended instanceof NotRaised left) {
            return sinks("not-raised", left.sinks(), "the flag stays: run it again");
        }
        if (ended instanceof NotFrozen) {
            return Outcome.done(json("not-frozen"), election + " is not frozen");
        }
        String why = ((Refused) ended).why();
        return Outcome.not(ExitCodes.NOT_SO, json("refused").put("why", why), election + " is not thawed: " + why);
    }

    private Outcome sinks(String outcome, List<OpenSink> left, String consequence) {
        List<String> said = left.stream()
                .map(sink -> election + " is not thawed, " + consequence + ": sink " + sink)
                .toList();
        return new Outcome(ExitCodes.SINK, json(outcome).put("sinks", Outcome.json(left)), "", said);
    }

    private JsonObject json(String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
