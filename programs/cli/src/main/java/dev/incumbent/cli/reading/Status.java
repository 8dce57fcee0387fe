package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Capabilities.Consistency;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Standing;
import dev.incumbent.telling.StandingJson;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code status [ELECTION|PREFIX]}: how elections stand. */
@Command(
        name = "status",
        description = "Prints who leads which election, with which token, and who stands next.",
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent status billing/",
            "  (all elections beneath billing/; one alone, with all there is to tell, by its name)"
        })
public final class Status implements Verb {
    @Parameters(
            arity = "0..1",
            paramLabel = "ELECTION|PREFIX",
            description = "An election, or all beneath it where it ends in '/'. Default: all.")
    private String prefix = "";

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            Enquiry enquiry = new Enquiry(coordinator);
            List<Standing> standings = enquiry.standings(enquiry.named(prefix));
            Consistency consistency = coordinator.capabilities().consistency();
            if (output.isJson()) {
                around.out()
                        .println(new JsonObject()
                                .put("at", at.label(around))
                                .put("consistency", consistency.name())
                                .put(
                                        "elections",
                                        standings.stream().map(StandingJson::of).toList()));
            } else {
                print(around, standings, consistency);
            }
            if (standings.isEmpty() && Enquiry.isOne(prefix)) {
                around.say(Enquiry.unknown(prefix));
                return ExitCodes.NOT_SO;
            }
            return exitCode(standings);
        }
    }

    private void print(Surroundings around, List<Standing> standings, Consistency consistency) {
        if (Enquiry.isOne(prefix)) {
            standings.forEach(standing -> new StandingDetails(around, standing).print());
        } else {
            new StandingTable(around, standings).print();
        }
        standings.forEach(standing ->
                Requirements.sentence(standing.election(), standing.record()).ifPresent(around::say));
        if (standings.isEmpty() && !Enquiry.isOne(prefix)) {
            around.say("no election");
        }
        if (consistency == Consistency.BEST_EFFORT) {
            around.say("this coordinator may forget what it acknowledged (best effort): only fenced sinks are safe");
        }
    }

    private static int exitCode(List<Standing> standings) {
        if (standings.stream().anyMatch(standing -> standing.reading() instanceof Reading.Unread)) {
            return ExitCodes.UNREACHABLE;
        }
        return standings.stream().anyMatch(standing -> standing.reading() instanceof Reading.Foreign)
                ? ExitCodes.CONFIGURATION
                : ExitCodes.DONE;
    }
}
