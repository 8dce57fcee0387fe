package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two agents over one SQLite file, each in a process of its own, and the shell script of examples/agent as the owner on each host. Needs curl and sqlite3. */
@Tag("realtime")
@Timeout(180)
class AgentScriptTest {
    private static final Path SCRIPT = Path.of("..", "..", "examples", "agent", "owner.sh");
    /** Until an owner has tried so often, another one that acts would have been seen. */
    private static final int ENOUGH = 12;

    private static final long PATIENCE_SECONDS = 60;
    private static final long LEASE_SECONDS = 10;
    /** Counted from an agent's silence on, whose last renewal may be a third of a lease old: sooner than a whole lease late. */
    private static final long PAST_THE_LEASE_SECONDS = LEASE_SECONDS + 6;
    /** As {@code owner.sh} has it, and the grain of its clock, in hundredths of a second. */
    private static final long TIME_TO_LIVE = 300 + 10;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Says when it begins and with which token, then writes one line behind the fence. */
    private static final String WORK = """
            #!/bin/sh
            read -r up rest < /proc/uptime
            echo "$1 $TOKEN $up" >> attempts
            sqlite3 -bail -cmd '.timeout 500' ledger.db "BEGIN IMMEDIATE; INSERT INTO incumbent_admit(election, token) VALUES ('job/nightly', $TOKEN); INSERT INTO ledger VALUES ('$1', $TOKEN); COMMIT;" 2>> refusals
            """;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    /** One attempt of an owner to write: whose, with which token, and when, in hundredths of a second since boot. */
    private record Attempt(String who, long token, long at) {}

    @BeforeEach
    void prepare() throws Exception {
        executable("owner", Files.readString(SCRIPT));
        executable("work", WORK);
        assertThat(ledger("CREATE TABLE ledger(who, token)")).isEmpty();
        await(
                "the fence is installed",
                incumbent("fence", "install", "--sink", sink()).onExit()::isDone);
    }

    @AfterEach
    void endAll() {
        started.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    @Test
    void anOwnerWhoseAgentIsKilledStopsInTimeAndIsFollowed() throws Exception {
        Process agent = agent("a");
        owner("a");
        await("a writes", () -> hasWritten("a"));
        agent("b");
        owner("b");

        long killed = sinceBoot();
        agent.destroyForcibly();

        await(PAST_THE_LEASE_SECONDS, "b writes", () -> hasWritten("b"));
        await("b goes on", () -> attempts("b").size() >= ENOUGH);
        assertThat(lastOf("a").at()).isLessThan(firstOf("b").at()).isLessThan(killed + TIME_TO_LIVE);
        assertThat(firstOf("b").token()).isGreaterThan(lastOf("a").token());
        assertThat(ledger(
                        "SELECT count(*) FROM ledger a, ledger b WHERE a.who='a' AND b.who='b' AND a.rowid > b.rowid"))
                .isEqualTo("0\n");
        assertThat(run("env", "TOKEN=" + lastOf("a").token(), "./work", "late")).isEmpty();
        assertThat(Files.readString(folder.resolve("refusals"))).contains("IF001");
    }

    @Test
    void anOwnerWhoseAgentIsFrozenStopsInTimeAndStandsAgain() throws Exception {
        Process agent = agent("a");
        owner("a");
        await("a writes", () -> hasWritten("a"));
        Process other = agent("b");
        owner("b");

        run("kill", "-STOP", Long.toString(agent.pid()));
        long stopped = sinceBoot();

        await(PAST_THE_LEASE_SECONDS, "b writes", () -> hasWritten("b"));
        await("b goes on", () -> attempts("b").size() >= ENOUGH);
        assertThat(lastOf("a").at()).isLessThan(firstOf("b").at()).isLessThan(stopped + TIME_TO_LIVE);
        long frozen = lastOf("a").token();
        run("kill", "-CONT", Long.toString(agent.pid()));
        other.destroyForcibly();
        await(PAST_THE_LEASE_SECONDS, "a writes again", () -> lastOf("a").token() > frozen);
        assertThat(lastOf("a").token()).isGreaterThan(firstOf("b").token());
    }

    private Process agent(String name) throws IOException {
        Process agent = incumbent(
                "agent",
                "--at",
                "file:" + folder.resolve("coordinator.db"),
                "--listen",
                "unix:" + socket(name),
                "--sink",
                sink(),
                "--lease",
                LEASE_SECONDS + "s",
                "--name",
                name);
        await("the agent " + name + " answers", () -> answers(name)); // its socket has a name before it listens
        return agent;
    }

    private boolean answers(String name) {
        return !run("curl", "-s", "--unix-socket", socket(name).toString(), "http://localhost/v1/elections")
                .isEmpty();
    }

    private void owner(String name) throws IOException {
        start(new ProcessBuilder("./owner", socket(name).toString(), "job/nightly", "./work", name), "owner-" + name);
    }

    private Process incumbent(String... words) throws IOException {
        return start(CommandLineProcess.of(words), words[0] + started.size());
    }

    private Process start(ProcessBuilder builder, String output) throws IOException {
        Process process = builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(output + ".out").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String run(String... line) {
        try {
            Process process = new ProcessBuilder(line)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void executable(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    private String sink() {
        return "jdbc:sqlite:" + folder.resolve("ledger.db");
    }

    private boolean hasWritten(String who) {
        return ledger("SELECT 1 FROM ledger WHERE who='" + who + "' LIMIT 1").equals("1\n");
    }

    private String ledger(String statement) {
        return run("sqlite3", "-cmd", ".timeout 5000", "ledger.db", statement);
    }

    private Attempt firstOf(String who) {
        return attempts(who).get(0);
    }

    private Attempt lastOf(String who) {
        List<Attempt> all = attempts(who);
        return all.get(all.size() - 1);
    }

    private List<Attempt> attempts(String who) {
        try (Stream<String> lines = Files.lines(folder.resolve("attempts"))) {
            return lines.map(line -> line.split(" ", -1))
                    .filter(words -> words[0].equals(who))
                    .map(words ->
                            new Attempt(words[0], Long.parseLong(words[1]), Long.parseLong(words[2].replace(".", ""))))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In hundredths of a second. */
    private static long sinceBoot() throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
        return Long.parseLong(uptime.replace(".", ""));
    }

    private static void await(String what, BooleanSupplier condition) {
        await(PATIENCE_SECONDS, what, condition);
    }

    private static void await(long seconds, String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + seconds + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
