package dev.incumbent.cli.sinks;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fence status}: the marks of a sink, and whose they are. */
@Command(
        name = "status",
        description = "Prints the marks of a sink: for each election the token in force, and whose it is.",
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent fence status --sink jdbc:sqlite:ledger.db"})
public final class FenceStatus implements Verb {
    @Mixin
    private OneSink sink = new OneSink();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Sink open = sink.open(around)) {
            SinkId id = Answers.await(open.id());
            Map<ElectionName, Mark> marks = new TreeMap<>(Answers.await(open.marks()));
            if (output.isJson()) {
                around.out()
                        .println(new JsonObject()
                                .put("sink", open.label())
                                .put("id", id.value())
                                .put("marks", json(marks)));
            } else {
                around.say("sink " + id + " at " + open.label());
                print(around, marks);
            }
            return ExitCodes.DONE;
        }
    }

    private static List<JsonObject> json(Map<ElectionName, Mark> marks) {
        List<JsonObject> all = new ArrayList<>();
        marks.forEach((election, mark) -> all.add(new JsonObject()
                .put("election", election.value())
                .put("token", mark.token().value())
                .put("owner", mark.owner().text())));
        return all;
    }

    private static void print(Surroundings around, Map<ElectionName, Mark> marks) {
        Columns columns = new Columns("ELECTION", "TOKEN", "OWNER");
        marks.forEach((election, mark) -> columns.add(
                election.value(), mark.token().toString(), mark.owner().text()));
        columns.print(around);
    }
}
