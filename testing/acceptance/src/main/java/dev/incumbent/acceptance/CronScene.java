package dev.incumbent.acceptance;

import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One leader that falls silent, and a job that {@code run -n} starts again and again meanwhile. */
final class CronScene {
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** What a store may take to end a lease, and this process to see that the leader is dead. */
    private static final Duration LAG = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int NOT_ACQUIRED = 1;
    private static final int UNANSWERED = 69;
    private static final Set<Integer> TRY_AGAIN = Set.of(NOT_ACQUIRED, UNANSWERED);
    private static final int LOST = 79;

    private final String at;
    private final Death death;
    private final File errors;

    /** How a leader falls silent. */
    enum Death {
        KILLED("its wrapper was killed"),
        FROZEN("its wrapper was frozen"),
        POWERED_OFF("wrapper, supervisor and command were killed together");

        private final String words;

        Death(String words) {
            this.words = words;
        }
    }

    /** One {@code run -n}: when it was started, and its exit code. */
    private record Attempt(long startedAtNanos, int code) {}

    CronScene(String at, Death death, File errors) {
        this.at = at;
        this.death = death;
        this.errors = errors;
    }

    List<Claim> claims() throws IOException, InterruptedException {
        try (SystemTimeline time = new SystemTimeline()) {
            Process leader = run("--", "sh", "-c", "echo leads; exec sleep 600");
            try {
                BufferedReader said = leader.inputReader(StandardCharsets.UTF_8);
                boolean leads = "leads".equals(said.readLine());
                int early = run("-n", "--", "true").waitFor();
                long silentAt = time.nanos();
                befalls(leader);
                List<Attempt> attempts = attempts(time, silentAt);
                List<Claim> claims = new ArrayList<>(List.of(
                        Claim.of(
                                "run -n ends with 1 while the leader lives, before " + death.words,
                                leads && early == NOT_ACQUIRED,
                                "it led: " + leads + ", exit code " + early),
                        afterwards(attempts, silentAt)));
                if (death == Death.FROZEN) {
                    claims.add(woken(leader));
                }
                return claims;
            } finally {
                leader.destroyForcibly().waitFor();
            }
        }
    }

    private void befalls(Process leader) throws IOException, InterruptedException {
        switch (death) {
            case KILLED -> signal("KILL", Stream.of(leader.pid()));
            case FROZEN -> signal("STOP", Stream.of(leader.pid()));
            case POWERED_OFF ->
                signal(
                        "KILL",
                        Stream.concat(
                                Stream.of(leader.pid()), leader.descendants().map(ProcessHandle::pid)));
        }
    }

    /** Until one does not say that it was not acquired, or that nobody answered in time: late is asked again. */
    private List<Attempt> attempts(SystemTimeline time, long begun) throws IOException, InterruptedException {
        List<Attempt> attempts = new ArrayList<>();
        int code = NOT_ACQUIRED;
        while (TRY_AGAIN.contains(code) && time.nanos() - begun < PATIENCE.toNanos()) {
            long startedAt = time.nanos();
            code = run("-n", "--", "true").waitFor();
            attempts.add(new Attempt(startedAt, code));
        }
        return attempts;
    }

    private Claim afterwards(List<Attempt> attempts, long silentAt) throws IOException {
        List<String> against = new ArrayList<>();
        for (Attempt attempt : attempts) {
            Duration after = Duration.ofNanos(attempt.startedAtNanos() - silentAt);
            boolean isLate = after.compareTo(LEASE.plus(LAG)) > 0;
            if (isLate && attempt.code() == NOT_ACQUIRED) {
                against.add("started " + after.toMillis() + " ms after, it ended with " + attempt.code());
            }
        }
        if (attempts.get(attempts.size() - 1).code() != 0) {
            against.add("none led within " + PATIENCE.toSeconds() + " s: " + attempts);
            Files.readAllLines(errors.toPath()).forEach(against::add);
        }
        return Claim.of("after " + death.words + ", the first run -n beyond the lease leads", against);
    }

    private static Claim woken(Process leader) throws IOException, InterruptedException {
        signal("CONT", Stream.of(leader.pid()));
        boolean hasEnded = leader.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        int code = hasEnded ? leader.exitValue() : -1;
        return Claim.of("the frozen one, once it wakes, ends with 79", code == LOST, "it ended with " + code);
    }

    private Process run(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "nonblock/" + death.name().toLowerCase(Locale.ROOT),
                "--at",
                at,
                "--lease",
                LEASE.toSeconds() + "s",
                "--stop-budget",
                "500ms"));
        arguments.addAll(List.of(more));
        return JavaChild.start(errors, "dev.incumbent.cli.Main", arguments);
    }

    private static void signal(String name, Stream<Long> pids) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("kill", "-" + name));
        pids.map(String::valueOf).forEach(line::add);
        new ProcessBuilder(line).start().waitFor();
    }
}
