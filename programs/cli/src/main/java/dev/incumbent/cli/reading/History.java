package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Ages;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.telling.HistoryJson;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Reasons;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code history ELECTION}: the terms that are over, oldest first. */
@Command(
        name = "history",
        description = "Prints the last terms that are over: token, who led, since when, how long, and why it ended.",
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent history billing/closer -o json | jq -r '.[-1].reason'"})
public final class History implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "history");
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            LeaderRecord record = new Enquiry(coordinator).known(election).record();
            List<PastTerm> history = record.history();
            Requirements.unknown(election, record).ifPresent(around::say);
            if (output.isJson()) {
                around.out().println(JsonObject.array(HistoryJson.of(history)));
            } else {
                print(around, history);
            }
            return ExitCodes.DONE;
        }
    }

    private static void print(Surroundings around, List<PastTerm> history) {
        Columns columns = new Columns("TOKEN", "LEADER", "FROM", "LASTED", "REASON");
        history.forEach(past -> columns.add(
                Long.toString(past.number()),
                past.leader().toString(),
                Ages.whole(past.from(), around.now()),
                Ages.length(Duration.between(past.from(), past.to())),
                Reasons.word(past.reason())));
        columns.print(around);
    }
}
