package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents with {@code --stonith} over one SQLite file, each in a process of its own, and a switch whose power is a file. Needs curl. */
@Tag("realtime")
@Timeout(180)
class AgentStonithTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path power;
    private Path devices;
    private Process work;

    @BeforeEach
    void prepare() throws IOException {
        power = Files.createFile(folder.resolve("power"));
        devices = Files.writeString(
                folder.resolve("stonith.conf"),
                "[switch]\noff = rm " + power + "\nstatus = test -e " + power
                        + " && exit 0; exit 2\npcmk_host_list = n1\n");
        work = start(new ProcessBuilder("sleep", "600"), "work");
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void theMachineOfAnAgentThatDiedIsTurnedOffBeforeAnOwnerOfAnotherOneLeads() throws Exception {
        Process first = agent("a", "n1");
        String owner = stand("a", "disk%2Fjob");
        await("a leads", () -> leads("a", owner));
        assertThat(holders()).contains("\"node\":\"n1\"", "\"process\":\"for-others:");

        first.destroyForcibly();
        agent("b", "n2");
        String next = stand("b", "disk%2Fjob");
        await("b leads", () -> leads("b", next));

        assertThat(power).doesNotExist();
        assertThat(holders()).contains("\"node\":\"n2\"", "\"proof\":\"off\"").doesNotContain("\"node\":\"n1\"");
    }

    /** Its owners work on. */
    @Test
    void theAgentOfTheSameMachineDoesNotTakeTheOneBeforeForGone() throws Exception {
        Process first = agent("a", "n2");
        String owner = stand("a", "disk%2Fjob");
        await("a leads", () -> leads("a", owner));

        first.destroyForcibly();
        agent("b", "n2");
        String next = stand("b", "disk%2Fjob");

        await("the agent says why", () -> {
            assertThat(leads("b", next)).isFalse();
            return said("b").contains("led for other programs of this machine");
        });
        assertThat(holders()).contains("\"node\":\"n2\"");
    }

    @Test
    void anElectionThatIsNotNamedAsksForNothing() throws Exception {
        agent("a", "n2");
        String refused = curl("a", "/v1/elections/disk%2Fjob/campaign", "{\"ttlMs\":4000}");
        String owner = curl("a", "/v1/elections/job/campaign", "{\"ttlMs\":4000}");

        assertThat(refused).contains("name the process that does it by");
        assertThat(owner).contains("\"id\"");
    }

    private Process agent(String name, String node) throws IOException {
        Process agent = start(
                CommandLineProcess.of(
                        "agent",
                        "--at",
                        at(),
                        "--listen",
                        "unix:" + socket(name),
                        "--lease",
                        "4s",
                        "--name",
                        name,
                        "--stonith",
                        devices.toString(),
                        "--stonith-node",
                        node,
                        "--stonith-for",
                        "disk/"),
                name);
        await("the agent " + name + " listens", () -> Files.exists(socket(name)));
        return agent;
    }

    /** The address of its candidacy. */
    private String stand(String agent, String election) {
        String address = "/v1/elections/" + election + "/campaign";
        String stood = curl(agent, address, "{\"ttlMs\":4000,\"pid\":" + work.pid() + "}");
        assertThat(stood).contains("\"id\":\"");
        return address + "/" + stood.replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");
    }

    private boolean leads(String agent, String owner) {
        return curl(agent, owner, "").contains("\"leads\":true");
    }

    private String holders() throws IOException {
        return output(CommandLineProcess.of("stonith", "list", "disk/job", "--at", at(), "-o", "json"));
    }

    private String curl(String agent, String path, String body) {
        try {
            return output(new ProcessBuilder(
                    "curl",
                    "-s",
                    "-m",
                    "10",
                    "--unix-socket",
                    socket(agent).toString(),
                    "-d",
                    body,
                    "http://localhost" + path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String said(String name) {
        try {
            return Files.readString(folder.resolve(name + ".out"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Process start(ProcessBuilder builder, String output) throws IOException {
        Process process = builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(output + ".out").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String output(ProcessBuilder builder) throws IOException {
        Process process =
                builder.directory(folder.toFile()).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String at() {
        return "file:" + folder.resolve("coordinator.db");
    }

    private Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + PATIENCE_SECONDS + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
