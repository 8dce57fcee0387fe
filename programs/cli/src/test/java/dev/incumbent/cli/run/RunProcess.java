package dev.incumbent.cli.run;

import dev.incumbent.cli.CommandLineProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One {@code incumbent run} in a JVM of its own, and all it started, found by a mark of the test's own in the environment. */
final class RunProcess implements AutoCloseable {
    /** Half of {@link #LEASE}: what comes only with the end of that has failed. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The lease of a run whose test names none, since it does not wait for its end. */
    private static final String LEASE = "60s";

    /** A lease whose end is waited for. */
    static final Duration SHORT_LEASE = Duration.ofSeconds(10);

    /** For JVMs that start and end, and processes that are killed: less than any lease. */
    static final Duration SLACK = Duration.ofSeconds(8);

    /**
     * Counted from a leader's silence on: what comes with the end of {@link #SHORT_LEASE} has come by then. The last renewal may be a third of a lease old, so that an end
     * which is a whole lease late comes 16.6 s after the silence began, or later.
     */
    static final Duration PAST_A_SHORT_LEASE = Duration.ofSeconds(16);

    private static final String MARK = "RUN_TEST";
    private static final String SUPERVISOR = "incumbent-super";

    private final String mark;
    private final Process process;
    private final Path folder;

    private RunProcess(String mark, Process process, Path folder) {
        this.mark = mark;
        this.process = process;
        this.folder = folder;
    }

    /** Over the store in the folder, with a long lease if the arguments, which are those of the verb, name none. */
    static RunProcess start(Path folder, String... arguments) {
        return start(folder, List.of(), line(folder, arguments));
    }

    /** The same by way of a shell that first does something, such as {@code trap '' HUP}; as the launcher does it, by the supervisor's program. */
    static RunProcess startAfter(Path folder, String shell, String... arguments) {
        List<String> line = new ArrayList<>(List.of("bash", "-c", shell + "; exec \"$@\"", "bash"));
        line.addAll(List.of(supervisor().toString(), "--start", "0"));
        line.addAll(line(folder, arguments));
        return start(folder, List.of(), line);
    }

    /** The same in that environment besides: {@code NAME=VALUE}. */
    static RunProcess start(Path folder, List<String> environment, List<String> line) {
        String mark = UUID.randomUUID().toString();
        try {
            Path outputs = Files.createTempDirectory(folder, "run");
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(outputs.resolve("out").toFile())
                    .redirectError(outputs.resolve("err").toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("INCUMBENT_"));
            builder.environment().put(MARK, mark);
            builder.environment().put("INCUMBENT_AT", "file:" + folder.resolve("coordinator.db"));
            builder.environment().put("INCUMBENT_LEASE", LEASE);
            environment.forEach(variable -> builder.environment()
                    .put(variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1)));
            return new RunProcess(mark, builder.start(), outputs);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The line that runs the verb in a JVM. */
    static List<String> line(Path folder, String... arguments) {
        List<String> line = CommandLineProcess.line(List.of(
                "-XX:-MaxFDLimit", "--enable-native-access=ALL-UNNAMED", "-Dincumbent.supervisor=" + supervisor()));
        line.add("run");
        line.addAll(Arrays.asList(arguments));
        return line;
    }

    private static Path supervisor() {
        try {
            return dev.incumbent.supervisor.SupervisorBinary.findOrBuild(
                    Path.of("target/supervisor").toAbsolutePath());
        } catch (dev.incumbent.supervisor.SupervisorUnavailableException e) {
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        await("the end of the run", () -> !process.isAlive());
        return process.exitValue();
    }

    /** The same, and it ends within that time from now, by the test's own clock. */
    int exitCodeWithin(Duration bound) {
        return within(bound, this::exitCode);
    }

    /** What that tells, which is told within that time from now, by the test's own clock. */
    static <T> T within(Duration bound, Supplier<T> what) {
        long begun = System.nanoTime();
        T told = what.get();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        if (took.compareTo(bound) > 0) {
            throw new AssertionError("not within " + bound.toMillis() + " ms: it took " + took.toMillis() + " ms");
        }
        return told;
    }

    String out() {
        return text("out");
    }

    String err() {
        return text("err");
    }

    private String text(String name) {
        return read(folder.resolve(name));
    }

    /** The processes that the run has started and that live: its command and all that started, without the supervisors. */
    List<Long> started() {
        return marked().filter(pid -> pid != process.pid())
                .filter(pid -> !isSupervisor(pid))
                .toList();
    }

    List<Long> supervisors() {
        return marked().filter(RunProcess::isSupervisor).toList();
    }

    private Stream<Long> marked() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> read(proc(pid, "environ")).contains(MARK + "=" + mark));
    }

    private static boolean isSupervisor(long pid) {
        return read(proc(pid, "comm")).startsWith(SUPERVISOR);
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }

    static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    void signal(String name) {
        signal(name, process.pid());
    }

    static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Returns once the file holds that many lines, which it does within that time from now. */
    static void awaitLinesWithin(Duration bound, Path file, int count) {
        within(bound, () -> {
            awaitLines(file, count);
            return file;
        });
    }

    /** Returns once the file holds that many lines. */
    static void awaitLines(Path file, int count) {
        await(count + " lines in " + file, () -> read(file).lines().count() >= count);
    }

    void awaitNothingLeft() {
        await("nothing left of the command", () -> started().isEmpty());
    }

    /** Waits, with a bound, for what other processes do. */
    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** Ends all that is left. */
    @Override
    public void close() {
        process.destroyForcibly();
        await("a clean machine", () -> {
            List<Long> left = marked().toList();
            left.forEach(pid -> signal("KILL", pid));
            return left.isEmpty();
        });
    }
}
