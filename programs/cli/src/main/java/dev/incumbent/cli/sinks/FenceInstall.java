package dev.incumbent.cli.sinks;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fence install}: the sink's side, and on wish a guard on a table of the user's own. */
@Command(
        name = "install",
        description = {
            "Puts the fence into a sink; what is there stays as it is.",
            "With --table, any write to that table without an admitted token of --election is refused, forgetful writers included."
        },
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent fence install --sink jdbc:sqlite:ledger.db --table ledger --election billing/closer"})
public final class FenceInstall implements Verb {
    @Mixin
    private OneSink sink = new OneSink();

    @Option(names = "--table", paramLabel = "T", description = "A table of the sink to guard.")
    private @Nullable String table;

    @Option(names = "--election", paramLabel = "E", description = "The election whose leaders may write to --table.")
    private @Nullable ElectionName election;

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        SinkProvider provider = sink.provider(around);
        if (table == null && election == null) {
            provider.install(sink.url());
        } else if (table != null && election != null) {
            provider.install(sink.url());
            provider.guard(sink.url(), table, election);
        } else {
            throw Refusal.usage("--table and --election go together: --table is " + (table == null ? "missing" : table)
                    + ", --election is " + (election == null ? "missing" : election));
        }
        try (Sink installed = sink.open(around)) {
            print(around, installed.label(), Answers.await(installed.id()));
        }
        return ExitCodes.DONE;
    }

    private void print(Surroundings around, String label, SinkId id) {
        if (output.isJson()) {
            JsonObject json = new JsonObject().put("sink", label).put("id", id.value());
            around.out().println(table == null ? json : json.put("table", table).put("election", "" + election));
        } else {
            String guard = table == null ? "" : "; writes to " + table + " need an admitted token of " + election;
            around.out().println(label + " is fenced, as sink " + id + guard);
        }
    }
}
