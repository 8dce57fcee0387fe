package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.doctor.Doctor;
import dev.incumbent.cli.doctor.Machine;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.coordinator.Coordinator;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Runs the verb {@code doctor} over an {@link Office}, on a machine at which nothing is found: so what it finds is what a test has provoked. */
final class DoctorRuns {
    /** Any program that can be executed. */
    private static final String SUPERVISOR = "/bin/sh";

    private final Office office;
    private final Path folder;

    /** @param folder holds its state, and what the kernel tells */
    DoctorRuns(Office office, Path folder) {
        this.office = office;
        this.folder = folder;
    }

    CommandRun run(String... more) {
        return over(UnaryOperator.identity(), more);
    }

    /** Over a coordinator that differs in something. */
    CommandRun over(UnaryOperator<Coordinator> differing, String... more) {
        return run(new Machine(folder.resolve("proc"), SUPERVISOR), differing, more);
    }

    /** On a machine whose kernel tells that. */
    CommandRun whereTheKernelTells(Path proc, String... more) {
        return run(new Machine(proc, SUPERVISOR), UnaryOperator.identity(), more);
    }

    CommandRun withSupervisor(String supervisor) {
        return run(new Machine(folder.resolve("proc"), supervisor), UnaryOperator.identity());
    }

    private CommandRun run(Machine machine, UnaryOperator<Coordinator> differing, String... more) {
        String[] line = Stream.concat(Stream.of("doctor"), Stream.of(more)).toArray(String[]::new);
        return office.runOver(new WithDoctor(machine), differing, Map.of("XDG_STATE_HOME", folder.toString()), line);
    }

    /** It found nothing, and its exit code says so. */
    static void assertNothing(CommandRun doctor) {
        assertThat(findings(doctor)).isEmpty();
        assertThat(doctor.code()).isZero();
    }

    /** It found that and nothing else, and its exit code says that it found something. */
    static void assertOnly(CommandRun doctor, String check, String sentence) {
        assertThat(findings(doctor))
                .as(doctor.out())
                .singleElement()
                .asString()
                .containsPattern("^finding +" + check + " +" + sentence);
        assertThat(doctor.code()).isEqualTo(1);
    }

    private static List<String> findings(CommandRun doctor) {
        assertThat(doctor.err()).isEmpty();
        return doctor.out().lines().filter(line -> line.startsWith("finding")).toList();
    }

    private record WithDoctor(Machine machine) implements VerbTable {
        private static final VerbTable ALL = new Verbs();

        @Override
        public List<String> names() {
            return ALL.names();
        }

        @Override
        public Object make(String name) {
            return name.equals("doctor") ? new Doctor(machine) : ALL.make(name);
        }
    }
}
