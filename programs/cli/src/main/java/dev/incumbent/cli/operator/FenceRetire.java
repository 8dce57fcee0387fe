package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Retirement;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Outcome;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fence retire ELECTION --sink-id ID}: retires a sink. */
@Command(
        name = "retire",
        aliases = "forget",
        description = {
            "Retires a sink: candidates that still bring it do not stand, and a freeze and a thaw need it no more.",
            "Exit 0: it is retired, or with --undo is not any more; 1: the record does not name it."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent fence retire billing/closer --sink-id 3f9c2a",
            "  (the ids stand in 'incumbent status -o json')"
        })
public final class FenceRetire implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(names = "--sink-id", required = true, paramLabel = "ID", description = "The sink's id.")
    private String id = "";

    @Option(
            names = "--undo",
            description = "Undoes the retirement: a candidate that guards the sink may lead, and adds it again.")
    private boolean undo;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "fence retire");
        SinkId sink = sinkId();
        try (Desk desk = Desk.ofKnown(around, at, election, List.of())) {
            Retirement ended = Desk.await(
                    undo ? desk.operator().reinstateSink(sink) : desk.operator().retireSink(sink));
            return Ending.print(outcome(ended), around, output.isJson());
        }
    }

    private SinkId sinkId() {
        try {
            return new SinkId(id);
        } catch (IllegalArgumentException none) {
            throw Refusal.usage("--sink-id: " + none.getMessage());
        }
    }

    private Outcome outcome(Retirement ended) {
        JsonObject json = new JsonObject().put("election", election.value()).put("sink", id);
        if (ended instanceof Retirement.Done done) {
            return Outcome.done(
                    json.put("outcome", undo ? "restored" : "retired").put("changed", done.changed()),
                    "sink " + id + " of " + election + (undo ? " is not retired" : " is retired")
                            + (done.changed() ? "" : ", as it was"));
        }
        TreeSet<SinkId> recorded = new TreeSet<>(((Retirement.UnknownSink) ended).recorded());
        return Outcome.not(
                Outcome.Kind.NOT_SO,
                json.put("outcome", "unknown").putStrings("recorded", recorded),
                "the record of " + election + " does not name sink " + id + "; it names " + recorded);
    }
}
