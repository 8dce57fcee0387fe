package dev.incumbent.cli.sinks;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.JsonObject;
import java.util.ArrayList;
import java.util.List;
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
            MarksRead read = Answers.await(open.marks());
            if (output.isJson()) {
                around.out()
                        .println(new JsonObject()
                                .put("sink", open.label())
                                .put("id", id.value())
                                .put("marks", json(read))
                                .put("unreadable", unreadable(read)));
            } else {
                around.say("sink " + id + " at " + open.label());
                print(around, read);
            }
            return read.unreadable().isEmpty() ? ExitCodes.DONE : ExitCodes.SINK;
        }
    }

    private static List<JsonObject> json(MarksRead read) {
        List<JsonObject> all = new ArrayList<>();
        read.marks()
                .forEach((election, mark) -> all.add(new JsonObject()
                        .put("election", election.value())
                        .put("token", mark.token().value())
                        .put("owner", mark.owner().text())));
        return all;
    }

    private static List<JsonObject> unreadable(MarksRead read) {
        List<JsonObject> all = new ArrayList<>();
        read.unreadable()
                .forEach((election, why) -> all.add(
                        new JsonObject().put("election", election.value()).put("why", why)));
        return all;
    }

    private static void print(Surroundings around, MarksRead read) {
        Columns columns = new Columns("ELECTION", "TOKEN", "OWNER");
        read.marks()
                .forEach((election, mark) -> columns.add(
                        election.value(), mark.token().toString(), mark.owner().text()));
        columns.print(around);
        read.unreadable().forEach((election, why) -> around.say("the mark of " + election + " cannot be read: " + why));
    }
}
