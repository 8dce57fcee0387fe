package dev.incumbent.cli.sinks;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.telling.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fence raise}: lifts one mark by hand, so that nothing below it is admitted any more. */
@Command(
        name = "raise",
        description = {
            "Lifts an election's mark at a sink by hand: nothing below it is admitted any more.",
            "The leader that stands below it is refused from then on, and the next claims above it."
        },
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent fence raise billing/closer --token 8 --sink jdbc:sqlite:ledger.db"})
public final class FenceRaise implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election;

    @Option(names = "--token", required = true, paramLabel = "N", description = "The token to raise to.")
    private FencingToken token;

    @Mixin
    private OneSink sink = new OneSink();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Sink open = sink.open(around)) {
            Mark mark = new Mark(token, MarkOwner.ofOperator(OperatorName.of(around)));
            Raise raise = Answers.await(open.raise(election, mark));
            if (raise instanceof Raise.Raised raised) {
                print(around, open.label(), raised.inForce());
                return ExitCodes.DONE;
            }
            throw new Refusal(ExitCodes.SINK, refusal(open.label(), raise));
        }
    }

    private void print(Surroundings around, String label, Mark inForce) {
        around.out()
                .println(
                        output.isJson()
                                ? new JsonObject()
                                        .put("sink", label)
                                        .put("election", election.value())
                                        .put("token", inForce.token().value())
                                        .put("owner", inForce.owner().text())
                                : election + " at " + label + " is raised to " + inForce);
    }

    private String refusal(String label, Raise raise) {
        if (raise instanceof Raise.TooFar far) {
            return "token " + token + " of " + election + " is refused at " + label + ": it lies more than "
                    + Raise.FURTHEST + " above the mark, which is " + far.from();
        }
        return "token " + token + " of " + election + " is refused at " + label + ": the mark in force is "
                + ((Raise.Refused) raise).inForce();
    }
}
