package dev.incumbent.servers;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server as a process of its own, which dies with this JVM at the latest ({@code setpriv --pdeathsig}), and which can be stopped, killed and started again. Its
 * output goes to a file; a start that fails shows the end of it. Not thread-safe.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration LONGEST_END = Duration.ofSeconds(20);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LOOKS = 20;
    private static final long BEFORE_ONCE_MORE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final ProcessBuilder builder;
    private final Path log;
    private final Callable<Boolean> answers;
    private String lastAnswer = "";
    private Process process;

    private ServerProcess(String name, ProcessBuilder builder, Path log, Callable<Boolean> answers) {
        this.name = name;
        this.builder = builder;
        this.log = log;
        this.answers = answers;
        this.process = launched();
    }

    /**
     * Starts a server and waits until it answers. {@code answers} may throw while it does not. A program that is missing is named, with what
     * installs it.
     */
    public static ServerProcess start(
            String name,
            List<String> command,
            Map<String, String> environment,
            Path folder,
            Callable<Boolean> answers) {
        List<String> line = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", "--"));
        line.addAll(command);
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        ServerProcess server = new ServerProcess(name, builder, log, answers);
        server.awaitAnswer();
        return server;
    }

    /** Launched from a thread that outlives it: {@code --pdeathsig} kills it with the very thread that launched it, and the workers of a parallel test run do end. */
    private Process launched() {
        CompletableFuture<Process> launched = new CompletableFuture<>();
        Thread launcher = new Thread(() -> launchAndStay(launched), "launcher of " + name);
        launcher.setDaemon(true);
        launcher.start();
        try {
            return launched.join();
        } catch (CompletionException e) {
            throw new IllegalStateException(name + " cannot be started (scripts/install-servers installs it)", e);
        }
    }

    private void awaitAnswer() {
        try (SystemTimeline time = new SystemTimeline()) {
            long end = time.nanos() + LONGEST_START.toNanos();
            while (!isAnswering()) {
                if (!process.isAlive() || time.nanos() > end) {
                    String why = process.isAlive() ? "did not answer within " + LONGEST_START : "ended at once";
                    kill();
                    throw new IllegalStateException(
                            name + " " + why + " (" + lastAnswer + "); the end of its log:\n" + logTail());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private void launchAndStay(CompletableFuture<Process> launched) {
        try {
            Process child = builder.start();
            launched.complete(child);
            child.waitFor();
        } catch (IOException e) {
            launched.completeExceptionally(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAnswering() {
        try {
            lastAnswer = "it answers that it is not ready";
            return answers.call();
        } catch (Exception notYet) {
            lastAnswer = "asked last: " + notYet;
            return false;
        }
    }

    /** The last 4,000 characters that it wrote. */
    public String logTail() {
        String all = log();
        return all.substring(Math.max(0, all.length() - 4_000));
    }

    /** All that it wrote. */
    public String log() {
        try {
            return Files.readString(log, java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Stops it where it stands (SIGSTOP), with its children: it holds its connections and does not answer. All its threads stand still when this returns, also of
     * children that it made meanwhile.
     */
    public void freeze() {
        Waiting.until(name + "'s standing still", this::wasStopped);
    }

    /** One try. Who was stopped between vfork and exec keeps its parent in the kernel, and both must go on for a moment. */
    private boolean wasStopped() {
        for (int look = 0; look < LOOKS; look++) {
            signal("STOP");
            if (standsStill()) {
                return true;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        signal("CONT");
        return false;
    }

    /** Who stands still makes no child: if nobody is new by then, these are all. */
    private boolean standsStill() {
        Set<ProcessHandle> seen = all().collect(Collectors.toSet());
        return seen.stream().allMatch(Threads::standStill)
                && all().collect(Collectors.toSet()).equals(seen);
    }

    /** Lets it go on (SIGCONT). */
    public void thaw() {
        signal("CONT");
    }

    /** Ends it at once (SIGKILL), with its children. */
    public void kill() {
        signal("KILL");
        awaitEnd();
    }

    /** Ends it in good order (SIGTERM), else at once. */
    public void stop() {
        signal("TERM");
        signal("CONT");
        if (!ended(LONGEST_END)) {
            kill();
        }
    }

    /**
     * Starts it again on the same data, and waits until it answers. It must have ended. Once more if it ends by itself, as whoever supervises servers does: a child
     * that was made while it was killed may hold its memory for a moment, or its own first checks may come too late on a busy machine.
     */
    public void startAgain() {
        process = launched();
        try {
            awaitAnswer();
        } catch (IllegalStateException ended) {
            LockSupport.parkNanos(BEFORE_ONCE_MORE_NANOS);
            process = launched();
            awaitAnswer();
        }
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** The children first: some servers answer from one process per connection. */
    private void signal(String which) {
        List<String> line = new ArrayList<>(List.of("kill", "-s", which));
        all().filter(ProcessHandle::isAlive).forEach(one -> line.add(Long.toString(one.pid())));
        if (line.size() == 3) {
            return;
        }
        try {
            new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Stream<ProcessHandle> all() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
    }

    private void awaitEnd() {
        if (!ended(LONGEST_END)) {
            throw new IllegalStateException(name + " outlived SIGKILL for " + LONGEST_END);
        }
    }

    private boolean ended(Duration atMost) {
        try {
            return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
