package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin.Until;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.CommandVerb;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Freeze;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.telling.FreezeOutcome;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Outcome;
import dev.incumbent.telling.ThawOutcome;
import dev.incumbent.wire.Redaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reconcile ELECTION --sink URL… -- CMD ARG…}: freezes, has each sink compared, keeps the report. */
@Command(
        name = "reconcile",
        customSynopsis = "incumbent reconcile [OPTION]... ELECTION --sink URL... -- CMD [ARG]...",
        description = {
            "Freezes an election, waits until it is quiet, and runs CMD once for each sink, one after the other.",
            "CMD compares the sink with whatever it knows: it ends with 0 if all is well, with 1 if something differs.",
            "It finds INCUMBENT_ELECTION, INCUMBENT_SINK (the URL without credentials), INCUMBENT_SINK_ID, INCUMBENT_SINK_NUMBER (1, 2, …) and INCUMBENT_MARK in its environment; what it writes is kept in a file.",
            "The election stays frozen until 'thaw', or --thaw where all is well.",
            "Exit 0: every sink is well; 1: one differs, or was not compared; 81: a recorded sink is not closed."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent reconcile billing/closer --sink postgresql://db1/ledger \\",
            "      --sink postgresql://db2/ledger -- ./compare-with-archive",
            "  $ incumbent thaw billing/closer --sink postgresql://db1/ledger \\",
            "      --sink postgresql://db2/ledger"
        })
public final class Reconcile implements CommandVerb {
    private static final String WHY = "reconcile";

    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Option(
            names = "--sink",
            required = true,
            paramLabel = "URL",
            description = "A sink to close and compare; every recorded one is needed. May come more than once.")
    private List<String> sinks = List.of();

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            description = "What people read in 'status', where it is not frozen yet (" + WHY + ").")
    private String why = WHY;

    @Option(
            names = "--timeout",
            paramLabel = "DUR",
            description = "CMD is killed where it lasts longer at one sink (10m).")
    private Duration timeout = Duration.ofMinutes(10);

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = {
                "A folder for the report, made if it is not there.",
                "Default: one of this run, beneath ~/.local/state/incumbent/reconcile."
            })
    private @Nullable Path report;

    @Option(names = "--thaw", description = "Thaws the election where every sink is well.")
    private boolean thaws;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    private List<String> command = List.of();

    @Override
    public void command(List<String> words) {
        command = List.copyOf(words);
    }

    @Override
    public int run(Surroundings around) throws InterruptedException {
        if (timeout.isNegative() || timeout.isZero()) {
            throw Refusal.usage("--timeout is longer than 0s");
        }
        try (Desk desk = Desk.ofKnown(around, at, election, sinks)) {
            Optional<Freeze> standing =
                    Desk.await(desk.operator().status()).observed().record().freeze();
            String reason = standing.map(Freeze::why).orElse(why);
            Freezing ended = Desk.await(desk.operator().freeze(reason, desk.sinks(), Until.QUIET));
            Outcome frozen = FreezeOutcome.of(election, ended);
            if (frozen.kind() != Outcome.Kind.DONE) {
                around.say("nothing was compared");
                return Ending.print(frozen, around, output.isJson());
            }
            if (!output.isJson()) {
                around.out().println(frozen.done());
            }
            return compare(around, desk, frozen);
        }
    }

    private int compare(Surroundings around, Desk desk, Outcome frozen) throws InterruptedException {
        ReconcileReport kept = ReconcileReport.in(folder(around));
        SinkComparer comparer = new SinkComparer(election, command, timeout, around.timeline());
        for (int i = 0; i < sinks.size(); i++) {
            SinkComparison one = comparer.compare(
                    i + 1, Redaction.of(sinks.get(i)), desk.sinks().get(i), desk.operator(), kept.output(i + 1));
            kept.add(one);
            if (!output.isJson()) {
                around.out().println(one.line());
                one.conflicts().forEach(conflict -> around.say(conflict.sentence()));
            }
        }
        Optional<Outcome> thawed = kept.isSound() && thaws
                ? Optional.of(
                        ThawOutcome.of(election, Desk.await(desk.operator().thaw(desk.sinks()))))
                : Optional.empty();
        return tell(around, kept, frozen, thawed);
    }

    private int tell(Surroundings around, ReconcileReport kept, Outcome frozen, Optional<Outcome> thawed) {
        JsonObject json = new JsonObject()
                .put("election", election.value())
                .put("freeze", frozen.json())
                .put("sinks", kept.json())
                .put("sound", kept.isSound())
                .put("thaw", thawed.map(Outcome::json));
        Path file = written(kept, json);
        if (output.isJson()) {
            around.out().println(json.put("report", file.toString()));
        } else {
            around.out().println("the report is " + file);
        }
        if (thawed.isPresent()) {
            return output.isJson() ? said(around, thawed.get()) : Ending.print(thawed.get(), around, false);
        }
        around.say(election + " stays frozen; to let the next term begin: incumbent thaw " + election
                + sinks.stream()
                        .map(url -> " --sink '" + Redaction.of(url) + "'")
                        .collect(Collectors.joining()));
        return kept.isSound() ? ExitCodes.DONE : ExitCodes.NOT_SO;
    }

    private static int said(Surroundings around, Outcome thawed) {
        thawed.said().forEach(around::say);
        return Ending.exitCode(thawed.kind());
    }

    private static Path written(ReconcileReport kept, JsonObject json) {
        try {
            return kept.write(json.toString());
        } catch (IOException full) {
            throw Refusal.configuration("the report cannot be written: " + full.getMessage());
        }
    }

    /** One of this run: a later one overwrites none. */
    private Path folder(Surroundings around) {
        if (report != null) {
            return report.toAbsolutePath();
        }
        String began = java.time.Instant.ofEpochMilli(around.timeline().wallMillis())
                .toString()
                .replace(":", "");
        return At.stateFolder(around)
                .resolve("reconcile")
                .resolve(election.value().replace("/", "%2F"))
                .resolve(began);
    }
}
