package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.PlainLine;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Capabilities.Consistency;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Standing;
import dev.incumbent.telling.StandingJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
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

    /** The verb of a line that needs no parser. */
    public static Optional<Verb> plain(Surroundings around, String... args) {
        Map<String, String> flags = Map.of("--at", "at", "-o", "output", "--output", "output");
        return PlainLine.of(around, flags, args)
                .flatMap(line -> Output.of(line).map(output -> {
                    Status status = new Status();
                    status.at = new At(line);
                    status.output = output;
                    line.operand().ifPresent(word -> status.prefix = word);
                    return status;
                }));
    }

    @Override
    public int run(Surroundings around) {
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            Enquiry enquiry = new Enquiry(coordinator);
            Set<ElectionName> elections = enquiry.named(prefix);
            Consistency consistency = coordinator.capabilities().consistency();
            Verdict verdict = new Verdict();
            Consumer<Consumer<Standing>> all = told -> enquiry.forEach(elections, verdict.andThen(told));
            if (output.isJson()) {
                new JsonObject()
                        .put("at", at.label(around))
                        .put("consistency", consistency.name())
                        .printWith(
                                around.out(),
                                "elections",
                                told -> all.accept(standing -> told.accept(StandingJson.of(standing))));
            } else {
                print(around, all);
                say(around, verdict.isNone, consistency);
            }
            if (verdict.isNone && Enquiry.isOne(prefix)) {
                around.say(Enquiry.unknown(prefix));
                return ExitCodes.NOT_SO;
            }
            return verdict.exitCode;
        }
    }

    private void print(Surroundings around, Consumer<Consumer<Standing>> all) {
        List<String> requirements = new ArrayList<>();
        StandingTable table = new StandingTable(around);
        all.accept(standing -> {
            if (Enquiry.isOne(prefix)) {
                new StandingDetails(around, standing).print();
            } else {
                table.add(standing);
            }
            Requirements.sentence(standing.election(), standing.record()).ifPresent(requirements::add);
        });
        table.print();
        requirements.forEach(around::say);
    }

    private void say(Surroundings around, boolean isNone, Consistency consistency) {
        if (isNone && !Enquiry.isOne(prefix)) {
            around.say("no election");
        }
        if (consistency == Consistency.BEST_EFFORT) {
            around.say("this coordinator may forget what it acknowledged (best effort): only fenced sinks are safe");
        }
    }

    /** What came of the question, as an exit code: an election that could not be read comes before one that cannot be understood. */
    private static final class Verdict implements Consumer<Standing> {
        private boolean isNone = true;
        private int exitCode = ExitCodes.DONE;

        @Override
        public void accept(Standing standing) {
            isNone = false;
            if (standing.reading() instanceof Reading.Unread) {
                exitCode = ExitCodes.UNREACHABLE;
            } else if (standing.reading() instanceof Reading.Foreign && exitCode == ExitCodes.DONE) {
                exitCode = ExitCodes.CONFIGURATION;
            }
        }
    }
}
