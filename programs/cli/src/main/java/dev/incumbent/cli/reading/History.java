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
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.telling.HistoryJson;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Reasons;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code history ELECTION}: the terms that are over, oldest first. */
@Command(
        name = "history",
        description = {
            "Prints the last terms that are over: token, who led, since when, how long, and why it ended. Where the election asks",
            "that former leaders are turned off, also what showed that one acts no more, or where it may still act."
        },
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
            ObservedRecord observed = new Enquiry(coordinator).known(election);
            LeaderRecord record = observed.record();
            Requirements.unknown(election, record).ifPresent(around::say);
            if (output.isJson()) {
                around.out().println(JsonObject.array(HistoryJson.of(record)));
            } else {
                print(around, record);
            }
            StonithText.forgotten(election, observed).ifPresent(around::say);
            return ExitCodes.DONE;
        }
    }

    private static void print(Surroundings around, LeaderRecord record) {
        List<String> stonith = record.history().stream()
                .map(past -> StonithText.of(past, record))
                .toList();
        boolean isAsked = stonith.stream().anyMatch(text -> !text.isEmpty());
        List<String> heading = new ArrayList<>(List.of("TOKEN", "LEADER", "FROM", "LASTED", "REASON"));
        if (isAsked) {
            heading.add("STONITH");
        }
        Columns columns = new Columns(heading.toArray(String[]::new));
        for (int i = 0; i < stonith.size(); i++) {
            List<String> row = row(record.history().get(i), around);
            if (isAsked) {
                row.add(stonith.get(i));
            }
            columns.add(row.toArray(String[]::new));
        }
        columns.print(around);
    }

    private static List<String> row(PastTerm past, Surroundings around) {
        return new ArrayList<>(List.of(
                Long.toString(past.number()),
                past.leader().toString(),
                Ages.whole(past.from(), around.now()),
                Ages.length(Duration.between(past.from(), past.to())),
                Reasons.word(past.reason())));
    }
}
