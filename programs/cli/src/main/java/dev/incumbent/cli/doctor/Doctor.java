package dev.incumbent.cli.doctor;

import dev.incumbent.cli.clock.ClockError;
import dev.incumbent.cli.clock.ClockSources;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.cli.reading.Enquiry;
import dev.incumbent.coordinator.Capabilities.Consistency;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Standing;
import dev.incumbent.wire.Redaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code doctor}: looks for what will go wrong. */
@Command(
        name = "doctor",
        description = {
            "Looks for what will go wrong: clocks, pauses, load, round trips, the granted lease, rights, members, fences, identities, marks against terms, the supervisor.",
            "Exit 0 if nothing was found, else 1. Takes and gives back one lease; creates no store."
        },
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent doctor billing/closer --sink jdbc:sqlite:ledger.db --lease 6s"})
public final class Doctor implements Verb {
    @Parameters(
            arity = "0..1",
            paramLabel = "ELECTION|PREFIX",
            description = "What to look at. Default: all elections.")
    private String prefix = "";

    @Option(
            names = "--sink",
            paramLabel = "URL",
            description = "A sink whose marks are compared; may come more than once.")
    private List<String> urls = List.of();

    @Option(names = "--lease", paramLabel = "DURATION", description = "The lease to judge by. Default: 15s.")
    private Duration lease = Duration.ofSeconds(15);

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    private final Machine machine;

    /** Looks at the machine that it runs on. */
    public Doctor() {
        this(Machine.ofThisProcess());
    }

    /** Looks at that machine. */
    public Doctor(Machine machine) {
        this.machine = machine;
    }

    @Override
    public int run(Surroundings around) {
        List<Finding> findings = new ArrayList<>();
        Clocks clocks = new Clocks(around.timeline());
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            Enquiry enquiry = new Enquiry(coordinator);
            List<Standing> standings = enquiry.standings(enquiry.named(prefix));
            promises(findings, coordinator);
            if (standings.isEmpty() && Enquiry.isOne(prefix)) {
                findings.add(Finding.wrong("election", Enquiry.unknown(prefix)));
            }
            standings.forEach(standing -> findings.addAll(new ElectionCheck(standing).findings()));
            Set<SinkId> given = new HashSet<>();
            urls.forEach(url -> findings.addAll(sink(around, url, enquiry, standings, given)));
            standings.forEach(
                    standing -> MissingSinks.of(standing, given, asksForOne()).ifPresent(findings::add));
            findings.addAll(MembersCheck.findings(coordinator));
            findings.addAll(leases(around, coordinator));
            findings.addAll(new HostLoad(machine.proc()).findings(at.uri(around)));
            findings.addAll(clocks.findings(coordinator));
        }
        Optional<ClockError> clock = ClockSources.ask();
        findings.add(Clocks.error(clock, lease));
        findings.add(new PauseCheck(around, lease).finding());
        findings.add(supervisor());
        print(around, findings, clock);
        return findings.stream().anyMatch(Finding::isWrong) ? ExitCodes.NOT_SO : ExitCodes.DONE;
    }

    private void promises(List<Finding> findings, Coordinator coordinator) {
        findings.add(
                coordinator.capabilities().consistency() == Consistency.LINEARIZABLE
                        ? Finding.well("coordinator", "it forgets nothing that it acknowledged")
                        : Finding.wrong(
                                "coordinator",
                                "it may forget what it acknowledged: safe only where every sink is fenced"));
    }

    /** A store that nobody uses yet is not written to, for that might create it. */
    private List<Finding> leases(Surroundings around, Coordinator coordinator) {
        if (Answers.await(coordinator.elections("")).isEmpty()) {
            return List.of(Finding.note(
                    "permissions",
                    "no election is known here, so no lease was tried; 'incumbent install' makes the store"));
        }
        try (Coordinator writable = at.open(around, Mode.CREATE)) {
            return new LeaseCheck(around, lease).findings(writable);
        }
    }

    /** One election, with the sinks that its candidates bring. */
    private boolean asksForOne() {
        return Enquiry.isOne(prefix) && !urls.isEmpty();
    }

    /** The records are read again after the marks: so a mark that is above its record is no claim in between. */
    private static List<Finding> sink(
            Surroundings around, String url, Enquiry enquiry, List<Standing> standings, Set<SinkId> given) {
        try (Sink sink = Sinks.open(around, url, Answers.CALL_BOUND)) {
            given.add(Answers.await(sink.id()));
            Set<ElectionName> elections =
                    standings.stream().map(Standing::election).collect(Collectors.toCollection(TreeSet::new));
            return new SinkCheck(sink, elections).findings(enquiry.standings(elections));
        } catch (SinkException unreadable) {
            return List.of(Finding.wrong("marks", Redaction.of(url) + ": " + unreadable.getMessage()));
        }
    }

    private Finding supervisor() {
        String path = machine.supervisor();
        return !path.isEmpty() && Files.isExecutable(Path.of(path))
                ? Finding.well("supervisor", path)
                : Finding.wrong(
                        "supervisor",
                        "there is none" + (path.isEmpty() ? "" : " at " + path) + ", so 'run' is refused;"
                                + " it is built where a C compiler is found (Debian: apt-get install gcc libc6-dev)");
    }

    private void print(Surroundings around, List<Finding> findings, Optional<ClockError> clock) {
        if (output.isJson()) {
            around.out()
                    .println(new JsonObject()
                            .put("at", at.label(around))
                            .put(
                                    "findings",
                                    findings.stream().filter(Finding::isWrong).count())
                            .put("clock", clock.map(error -> error.json(lease)))
                            .put("checks", findings.stream().map(Finding::json).toList()));
            return;
        }
        for (Finding finding : findings) {
            String word = "%-8s".formatted(finding.kind().word);
            around.out()
                    .printf(
                            "%s %-12s %s%n",
                            around.screen().paint(finding.kind().paint, word), finding.check(), finding.sentence());
        }
    }
}
