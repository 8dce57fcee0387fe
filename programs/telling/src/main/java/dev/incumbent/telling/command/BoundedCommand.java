package dev.incumbent.telling.command;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A program that an operator gave, with what it is told and a bound on its time. Its environment is this process's, without any {@code INCUMBENT_*} variable but those that it is given; its
 * standard error is this process's. Immutable.
 *
 * @param words the program and its arguments; no shell reads them
 * @param variables that it is given
 * @param input on its standard input
 * @param output the file that its standard output goes to; empty for the standard output of this process
 */
public record BoundedCommand(List<String> words, Map<String, String> variables, String input, Optional<Path> output) {
    private static final String OURS = "INCUMBENT_";
    /** Of killing: one that starts others faster than they are killed does not keep this process. */
    private static final int MOST_ROUNDS = 100;

    public BoundedCommand {
        words = List.copyOf(words);
        variables = new TreeMap<>(variables);
    }

    /**
     * Runs it, and blocks until it has ended or its time is up, though it may not read its input: then it is killed, and after it what it has started and that has not left it. An interrupt kills it, too.
     *
     * @return its exit code; empty if it was killed because its time was up
     * @throws IOException if it cannot be started
     */
    public OptionalInt run(Duration longest) throws IOException, InterruptedException {
        Process process = started();
        try {
            write(process);
            boolean ended = process.waitFor(longest.toNanos(), TimeUnit.NANOSECONDS);
            return ended ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
        } finally {
            kill(process.toHandle());
        }
    }

    /** The process first, so that it starts nothing more, then what it has started, until none of them has started another one. */
    private static void kill(ProcessHandle process) {
        Set<ProcessHandle> killed = new HashSet<>();
        Set<ProcessHandle> next = Set.of(process);
        for (int round = 0; round < MOST_ROUNDS && !next.isEmpty(); round++) {
            Set<ProcessHandle> started = new LinkedHashSet<>();
            for (ProcessHandle one : next) {
                one.descendants().forEach(started::add);
                one.destroyForcibly();
                killed.add(one);
            }
            started.removeAll(killed);
            next = started;
        }
    }

    private Process started() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(Redirect.INHERIT);
        builder.redirectOutput(output.map(Path::toFile).map(Redirect::to).orElse(Redirect.INHERIT));
        builder.environment().keySet().removeIf(name -> name.startsWith(OURS));
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** On a thread of its own, which ends with the process: a pipe that nobody reads takes 64 KiB. */
    private void write(Process process) {
        Thread writer = new Thread(() -> writeAll(process), "incumbent-command-input");
        writer.setDaemon(true);
        writer.start();
    }

    /** One that reads none of it is no failure. */
    private void writeAll(Process process) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException notRead) {
            // It has what it wants from its environment, or wants nothing.
        }
    }
}
