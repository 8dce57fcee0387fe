package dev.incumbent.cli.run;

import dev.incumbent.Leadership;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.PastTerm;
import dev.incumbent.supervisor.BootOffset;
import dev.incumbent.supervisor.HeldProgram;
import dev.incumbent.supervisor.Inherited;
import dev.incumbent.supervisor.LaunchSpec;
import dev.incumbent.supervisor.RawCommand;
import dev.incumbent.supervisor.Supervisor;
import dev.incumbent.supervisor.SupervisorBinary;
import dev.incumbent.supervisor.SupervisorEvent;
import dev.incumbent.supervisor.SupervisorUnavailableException;
import dev.incumbent.telling.Reasons;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * All that commands are launched from, whatever the term: the supervisor's program, the clocks it was compared with, and what commands get in their
 * environment. Thread-safe.
 */
final class Launchpad {
    private static final String BINARY = "incumbent.supervisor";

    private final HeldProgram program;
    private final Timeline timeline;
    private final BootOffset offset = new BootOffset();
    private final StopSignal stopSignal;
    private final RawCommand command;
    private final Plan plan;
    private final Consumer<String> say;
    private final Map<String, String> environment = new HashMap<>();
    /** Hooks and health commands would say the same again and again. */
    private final AtomicBoolean unconfinedTold = new AtomicBoolean();

    private Launchpad(HeldProgram program, Surroundings around, Plan plan, RawCommand command) {
        this.program = program;
        this.plan = plan;
        this.say = around::say;
        this.timeline = around.timeline();
        this.stopSignal = plan.stopSignal();
        this.command = command;
        environment.put("INCUMBENT_ELECTION", plan.election().value());
        environment.put("INCUMBENT_AT", Redaction.withoutSecrets(plan.at().uri(around)));
        environment.put(
                "INCUMBENT_LEASE_MS", Long.toString(plan.timing().lease().toMillis()));
    }

    /** Finds or builds the supervisor, and tries it: so the clocks are compared before any lease is asked for. */
    static Launchpad prepare(Surroundings around, Plan plan) {
        try {
            RawCommand command = RawCommand.lastOfThisProcess(plan.command().size());
            Launchpad prepared = new Launchpad(HeldProgram.of(binary()), around, plan, command);
            Supervisor.launch(
                            prepared.spec(RawCommand.of("true"), Map.of(), true),
                            around.timeline()::nanos,
                            prepared.offset,
                            event -> {})
                    .close();
            return prepared;
        } catch (SupervisorUnavailableException | IOException e) {
            throw Refusal.configuration("no supervisor can be had here: " + e.getMessage());
        }
    }

    private static Path binary() throws SupervisorUnavailableException {
        Path built = Path.of(System.getProperty(BINARY, ""));
        return Files.isRegularFile(built) && Files.isExecutable(built)
                ? built.toAbsolutePath()
                : SupervisorBinary.findOrBuild(SupervisorBinary.defaultFolder());
    }

    Timeline timeline() {
        return timeline;
    }

    StopSignal stopSignal() {
        return stopSignal;
    }

    /** The environment of commands that are run before anything is led. */
    Map<String, String> environment(CandidateId candidate) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("INCUMBENT_CANDIDATE", candidate.value());
        return all;
    }

    /** The environment of commands in a term. */
    Map<String, String> environment(Leadership leadership) {
        Map<String, String> all = environment(leadership.term().leader().id());
        all.put("INCUMBENT_TOKEN", Long.toString(leadership.token().value()));
        all.put(
                "INCUMBENT_PREVIOUS",
                leadership.previousTerm().map(p -> p.leader().id().value()).orElse(""));
        all.put(
                "INCUMBENT_PREVIOUS_END",
                leadership
                        .previousTerm()
                        .map(PastTerm::reason)
                        .map(Reasons::word)
                        .orElse(""));
        return all;
    }

    /** Launches the command itself, which is not started yet. */
    SupervisedProcess launchCommand(Leadership leadership) throws SupervisorUnavailableException {
        return new SupervisedProcess(this, spec(command, environment(leadership), false));
    }

    /** Launches a line for {@code sh -c}, which reads nothing and writes to standard error alone. */
    SupervisedProcess launchHook(String line, Map<String, String> variables) throws SupervisorUnavailableException {
        return new SupervisedProcess(this, spec(RawCommand.of("sh", "-c", "exec >&2\n" + line), variables, true));
    }

    private LaunchSpec spec(RawCommand what, Map<String, String> variables, boolean inBackground) {
        return new LaunchSpec(program.path(), what, variables, stopSignal.number(), Inherited.told())
                .inBackground(inBackground)
                .inCgroup(plan.cgroup())
                .withKillReserve(plan.timing().killReserve());
    }

    /** Tells people that no supervisor could be launched, though one could at the start. */
    void tell(SupervisorUnavailableException lack) {
        say.accept("no supervisor can be had now: " + lack.getMessage());
    }

    /** Tells people what they must know of a command. */
    void tell(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.Denied denied) {
            say.accept(CommandSentences.of(denied, !plan.sinks().isEmpty()));
        } else if (event instanceof SupervisorEvent.Unconfined lack
                && !plan.cgroup().equals(LaunchSpec.AUTOMATIC)
                && !unconfinedTold.getAndSet(true)) {
            say.accept(CommandSentences.of(lack, plan.cgroup()));
        }
    }

    Supervisor launch(LaunchSpec spec, Consumer<SupervisorEvent> listener) throws SupervisorUnavailableException {
        return Supervisor.launch(spec, timeline::nanos, offset, listener);
    }
}
