package dev.incumbent.acceptance;

import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a program's log tells when things go wrong, on a real etcd: prints each log as it came, and a line for each claim; the last line is {@code N passed, N
 * failed}.
 */
public final class LogScenes {
    private static final Duration OUTAGE = Duration.ofSeconds(9);
    private static final String LEASE = "PT3S";
    private static final String WORKS = "false";
    private static final String THROWS = "true";

    private final List<Claim> claims = new ArrayList<>();

    private LogScenes() {}

    public static void main(String[] none) throws Exception {
        LogScenes scenes = new LogScenes();
        try (TemporaryFolder folder = TemporaryFolder.create("logs")) {
            scenes.outage();
            scenes.taskThatThrows();
            scenes.startWithoutACoordinator();
            scenes.missingSink(folder.resolve("never-installed.db"));
        }
        scenes.claims.forEach(claim -> claim.print("log", System.out));
        long failed = scenes.claims.stream().filter(claim -> !claim.holds()).count();
        System.out.println(scenes.claims.size() - failed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private void outage() throws Exception {
        try (EtcdServer etcd = EtcdServer.start();
                Log log = Log.of(etcd.uri("logs"), LEASE, WORKS)) {
            log.until("leads, token 1");
            etcd.freeze();
            SystemTimeline.sleep(OUTAGE);
            etcd.thaw();
            log.until("leads, token 2");
            claim(
                    "a coordinator that stands still for nine seconds",
                    log,
                    "INFO billing: this process leads, token 1",
                    "WARNING the coordinator gives no lease: .*",
                    "WARNING billing: this process no longer leads, token 1: its lease could not be renewed in time.*",
                    "INFO the coordinator gives leases again, after .* s",
                    "INFO billing: this process leads, token 2");
        }
    }

    private void taskThatThrows() throws Exception {
        try (EtcdServer etcd = EtcdServer.start();
                Log log = Log.of(etcd.uri("logs"), LEASE, THROWS)) {
            log.until("no longer leads, token 1");
            claim(
                    "a task that throws",
                    log,
                    "INFO billing: this process leads, token 1",
                    "SEVERE billing: the task or listener of token 1 threw.*",
                    "java.lang.IllegalStateException: the ledger is locked",
                    "\tat dev.incumbent.acceptance.LoggedProgram.fail.*",
                    "WARNING billing: this process no longer leads, token 1: its task threw.*");
        }
    }

    private void startWithoutACoordinator() throws Exception {
        try (Log log = Log.of("etcd://127.0.0.1:" + FreePorts.one() + "/logs", LEASE, WORKS)) {
            log.until("the coordinator gives no lease");
            claim(
                    "a start without a coordinator",
                    log,
                    "WARNING the coordinator gives no lease: .*stands again once the coordinator gives one");
        }
    }

    private void missingSink(Path file) throws Exception {
        try (EtcdServer etcd = EtcdServer.start();
                Log log = Log.of(etcd.uri("logs"), LEASE, WORKS, "sqlite:" + file)) {
            log.until("a sink does not tell its id");
            claim(
                    "a sink that was never installed",
                    log,
                    "WARNING billing: a sink does not tell its id: .*never-installed.db.*");
        }
    }

    /** Those lines, in this order, and others between. */
    private void claim(String scene, Log log, String... patterns) {
        List<String> left = new ArrayList<>(Arrays.asList(patterns));
        for (String line : log.lines) {
            if (!left.isEmpty() && Pattern.matches(left.get(0), line)) {
                left.remove(0);
            }
        }
        System.out.println("-- " + scene);
        log.lines.forEach(System.out::println);
        claims.add(Claim.of(
                scene + " is told in the log",
                left.stream().map(one -> "missing, or out of order: " + one).toList()));
    }

    /** A program, and what it has logged so far. */
    private static final class Log implements AutoCloseable {
        private final List<String> lines = new ArrayList<>();
        private final Process process;
        private final BufferedReader errors;

        private Log(Process process) {
            this.process = process;
            this.errors = process.errorReader(StandardCharsets.UTF_8);
        }

        static Log of(String... arguments) throws IOException {
            List<String> line = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", "--"));
            List<String> java = new ArrayList<>(JavaChild.command(LoggedProgram.class.getName()));
            java.add(1, "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%6$s%n");
            line.addAll(java);
            line.addAll(List.of(arguments));
            return new Log(new ProcessBuilder(line).start());
        }

        void until(String words) throws IOException {
            Predicate<String> last = line -> line.contains(words);
            String line = errors.readLine();
            while (line != null && !last.test(line)) {
                lines.add(line);
                line = errors.readLine();
            }
            lines.add(line == null ? "(the program has ended)" : line);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
