package dev.incumbent.cli.reading;

import dev.incumbent.LeaderChange;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.telling.ChangeJson;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code observe ELECTION}: a line for each change of leader, the present one first, until it is interrupted or nobody reads on. */
@Command(
        name = "observe",
        description = "Prints a line for who leads now, and one for each change, until interrupted.",
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent observe billing/closer",
            "  2026-11-20T10:00:00Z  billing/closer  token 8  leader ledger-2@b-17-04fe  previous ledger-1@a-9-9f3c (lost)"
        })
public final class Observe implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            new Enquiry(coordinator).known(election);
            return follow(around, coordinator);
        }
    }

    private int follow(Surroundings around, Coordinator coordinator) {
        try (Following following = new Following(around, coordinator, election)) {
            ObservedRecord first = following.next().orElse(ObservedRecord.ABSENT);
            LeaderChange last = LeaderChange.to(election, first);
            Requirements.unknown(election, first.record()).ifPresent(around::say);
            if (first.record().term() == 0) {
                around.say("nobody has led " + election + " yet");
            } else {
                print(around, last);
            }
            while (!around.out().checkError()) {
                Optional<ObservedRecord> observed = following.next();
                if (observed.isEmpty()) {
                    break;
                }
                for (LeaderChange change : last.until(observed.get())) {
                    print(around, change);
                    last = change;
                }
            }
            return ExitCodes.DONE;
        }
    }

    private void print(Surroundings around, LeaderChange change) {
        around.out().println(output.isJson() ? ChangeJson.of(change) : ChangeLine.text(change));
    }
}
