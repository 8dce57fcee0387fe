package dev.incumbent.cli.run;

import dev.incumbent.cli.clock.ClockSources;
import dev.incumbent.cli.clock.DriftBound;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.CommandVerb;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.MemberFlags;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.supervisor.SignalForwarding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code run ELECTION -- CMD ARG…}: CMD lives only while this process leads. */
@Command(
        name = "run",
        customSynopsis = "incumbent run [OPTION]... ELECTION -- CMD [ARG]...",
        description = {
            "Waits to lead, runs CMD only while leading, and releases after CMD and all it started are gone.",
            "Exit: CMD's own code if it ended while still leading; 79 if leadership ended first;",
            "1 (or -E N) not acquired; 69 coordinator unreachable; 78 unsafe timing, or no supervisor;",
            "81 a sink could not be raised, or a former leader not turned off; 126, 127 CMD not executable, not found; 128+n signal n.",
            "CMD must not daemonize: processes that it leaves behind are killed when it exits.",
            "All that follows -- is CMD's, whatever it looks like."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent run billing/closer --sink jdbc:sqlite:ledger.db -- ./close-the-day",
            "  In the crontab of several hosts, of which one shall run the job:",
            "  $ incumbent run -n --hold-at-least 1m nightly -- ./job"
        })
public final class Run implements CommandVerb {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LEASE_OF_PEERS = Duration.ofSeconds(3);

    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election;

    private List<String> command = List.of();

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            description =
                    "Another candidate may take over this long after the last renewal (15s; among peers 3s, and the same for all of them).")
    private @Nullable Duration lease;

    @Option(
            names = "--stop-budget",
            paramLabel = "DUR",
            description = "From the stop signal to KILL (5s, at most a third of the lease).")
    private @Nullable Duration stopBudget;

    @Option(
            names = "--drift-bound",
            paramLabel = "BOUND",
            converter = DriftBound.Converter.class,
            description =
                    "How much the rate of a clock may err: 0.001, 1000ppm, 0.1%%; auto: what the kernel or chrony vouches for (1000ppm).")
    private DriftBound driftBound = DriftBound.STANDARD;

    @Option(
            names = "--stop-signal",
            paramLabel = "SIGNAL",
            converter = SignalConverter.class,
            description = "What ends CMD when leadership does (TERM).")
    private StopSignal stopSignal = StopSignal.parse("TERM");

    @Option(names = "--wait", paramLabel = "DUR", description = "Waits no longer than that to lead.")
    private @Nullable Duration wait;

    @Option(
            names = {"-n", "--nonblock"},
            description = "Leads at once or not at all, and never passes one that already waits.")
    private boolean nonblock;

    @Option(
            names = "--hold-at-least",
            paramLabel = "DUR",
            description =
                    "Leads on for so long after the term began, although CMD has ended: no host whose clock is behind runs it again.")
    private Duration holdAtLeast = Duration.ZERO;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "N",
            description = "The exit code where leadership was not acquired (1).")
    private int conflictCode = ExitCodes.NOT_SO;

    @Option(
            names = "--sink",
            paramLabel = "URL",
            description = "A sink that is raised before CMD starts; may come more than once.")
    private List<String> sinks = List.of();

    @Mixin
    private Who who = new Who();

    @Option(
            names = "--repeat",
            description =
                    "Stands again when leadership has ended, or a sink could not be raised; never after CMD's own end, or TERM.")
    private boolean repeat;

    @Option(
            names = "--json-exit",
            paramLabel = "FILE",
            description = "Where to write, in the end, which code it was and why.")
    private @Nullable Path jsonExit;

    @Option(
            names = {"-v", "--verbose"},
            description = "Tells what happens on standard error.")
    private boolean verbose;

    @Mixin
    private Hooks hooks = new Hooks();

    @Mixin
    private HealthFlags health = new HealthFlags();

    @Mixin
    private StonithFlags stonith = new StonithFlags();

    @Mixin
    private Confinement confinement = new Confinement();

    @Mixin
    private BeatFlags beats = new BeatFlags();

    @Mixin
    private At at = new At();

    @Mixin
    private MemberFlags member = new MemberFlags();

    @Override
    public void command(List<String> words) {
        command = List.copyOf(words);
    }

    @Override
    public int run(Surroundings around) throws Exception {
        Optional<ExitFile> file = Optional.ofNullable(jsonExit).map(ExitFile::new);
        file.ifPresent(ExitFile::prepare);
        try {
            Ending ending = new Wrapper(around, plan(around)).run();
            write(file, ending);
            if (ending.interrupted()) {
                SignalForwarding.endByInterrupt();
            }
            return ending.code();
        } catch (RuntimeException failed) {
            write(file, Ending.refused(codeOf(failed)));
            throw failed;
        }
    }

    private void write(Optional<ExitFile> file, Ending ending) throws IOException {
        if (file.isPresent()) {
            file.get().write(ending.json(election));
        }
    }

    private static int codeOf(RuntimeException failed) {
        if (failed instanceof Refusal refusal) {
            return refusal.exitCode();
        }
        if (failed instanceof CoordinatorUnusableException) {
            return ExitCodes.CONFIGURATION;
        }
        if (failed instanceof CoordinatorException) {
            return ExitCodes.UNREACHABLE;
        }
        return failed instanceof SinkException ? ExitCodes.SINK : ExitCodes.INTERNAL;
    }

    private Plan plan(Surroundings around) {
        if (conflictCode < 0 || conflictCode > 255) {
            throw Refusal.usage("--conflict-exit-code is 0 to 255, this one is " + conflictCode);
        }
        if (nonblock && wait != null) {
            throw Refusal.usage("--nonblock and --wait exclude each other");
        }
        who.check();
        member.requirePeers(at.isPeers(around));
        Timing timing = timing(around);
        return new Plan(
                election,
                List.copyOf(command),
                at,
                timing,
                nonblock ? Optional.of(Duration.ZERO) : Optional.ofNullable(wait),
                holdAtLeast,
                conflictCode,
                List.copyOf(sinks),
                stonith.stonith(timing, around),
                who,
                member,
                beats.beats(),
                stopSignal,
                repeat,
                hooks,
                health.plan(lease(around)),
                confinement.cgroup(),
                verbose);
    }

    private Timing timing(Surroundings around) {
        return new LeaseFlags(
                        lease(around),
                        Optional.ofNullable(stopBudget),
                        confinement.killReserve(),
                        driftBound,
                        driftBound.isAutomatic() ? ClockSources.ask() : Optional.empty())
                .timing(() -> promises(around), around::say);
    }

    private Duration lease(Surroundings around) {
        if (lease != null) {
            return lease;
        }
        return at.isPeers(around) ? LEASE_OF_PEERS : LEASE;
    }

    /** What the coordinator promises; empty where it cannot be opened, which is then no matter of the lease. */
    private Optional<Capabilities> promises(Surroundings around) {
        try (Coordinator coordinator = at.open(around, CoordinatorProvider.Mode.READ_ONLY, Answers.CALL_BOUND)) {
            return Optional.of(coordinator.capabilities());
        } catch (CoordinatorException | Refusal unusable) {
            return Optional.empty();
        }
    }

    private static final class SignalConverter implements ITypeConverter<StopSignal> {
        @Override
        public StopSignal convert(String text) {
            try {
                return StopSignal.parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(refused.getMessage());
            }
        }
    }
}
