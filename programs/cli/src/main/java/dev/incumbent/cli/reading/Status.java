package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Capabilities.Consistency;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.LeaderRecord;
import java.util.List;
import java.util.stream.Collectors;
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
            "  (all elections beneath billing/; one alone by its name, all without one)"
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
            Elections elections = new Elections(coordinator);
            List<Standing> standings = elections.standings(elections.named(prefix));
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
            if (standings.isEmpty() && Elections.isOne(prefix)) {
                around.say(Elections.unknown(prefix));
                return ExitCodes.NOT_SO;
            }
            return exitCode(standings);
        }
    }

    private void print(Surroundings around, List<Standing> standings, Consistency consistency) {
        Columns columns = new Columns("ELECTION", "TOKEN", "LEADER", "SINCE", "LEASE", "FROZEN", "CANDIDATES");
        standings.forEach(standing -> columns.add(row(standing)));
        columns.print(around.out());
        standings.forEach(standing ->
                Requirements.sentence(standing.election(), standing.record()).ifPresent(around::say));
        if (standings.isEmpty() && !Elections.isOne(prefix)) {
            around.say("no election");
        }
        if (consistency == Consistency.BEST_EFFORT) {
            around.say("this coordinator may forget what it acknowledged (best effort): only fenced sinks are safe");
        }
    }

    private static String[] row(Standing standing) {
        LeaderRecord record = standing.record();
        return new String[] {
            standing.election().value(),
            record.term() == 0 ? "" : Long.toString(record.term()),
            standing.obstacle().orElse(record.leader().map(Candidate::toString).orElse("")),
            record.term() == 0 ? "" : record.since().toString(),
            lease(standing),
            record.freeze()
                    .map(freeze -> "by " + freeze.by() + ": " + freeze.why())
                    .orElse(""),
            standing.candidates().stream()
                    .map(enlisted -> enlisted.candidate().toString())
                    .collect(Collectors.joining(" "))
        };
    }

    private static String lease(Standing standing) {
        if (standing.record().leader().isEmpty()) {
            return "";
        }
        if (!standing.observed().leaseAlive()) {
            return "dead";
        }
        return standing.jeopardy().orElse(false) ? "jeopardy" : "alive";
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
