package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are the members of a group, and the verbs that ask them. */
@Tag("realtime")
class PeersRunTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(15);
    /** Less than a lease, so that what is a whole lease late has failed. */
    private static final Duration SLACK = Duration.ofSeconds(14);

    private static final String ELECTION = "billing/closer";

    @TempDir
    Path folder;

    private final List<String> ids =
            FreePorts.some(3).stream().sorted().map(port -> "127.0.0.1:" + port).toList();
    private final String at = "peers+raft://" + String.join(",", ids);
    private final Map<String, RunProcess> runs = new TreeMap<>();

    @AfterEach
    void endAll() {
        runs.values().forEach(RunProcess::close);
    }

    /** What a verb printed on both of its streams, and its code. */
    private record Said(int code, String text) {}

    private Said verb(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(RunProcess.line(folder));
        line.remove(line.size() - 1);
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("INCUMBENT_"));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private String data(String id) {
        return folder.resolve(id.replace(':', '-')).toString();
    }

    private void start() throws IOException, InterruptedException {
        for (String id : ids) {
            assertThat(verb("peers", "found", ELECTION, "--at", at, "--me", id, "--data", data(id))
                            .code())
                    .isZero();
        }
        for (String id : ids) {
            runs.put(
                    id,
                    RunProcess.start(
                            folder,
                            ELECTION,
                            "--at",
                            at,
                            "--me",
                            id,
                            "--data",
                            data(id),
                            "--lease",
                            LEASE.toSeconds() + "s",
                            "--",
                            "sh",
                            "-c",
                            "echo leads $INCUMBENT_TOKEN; exec sleep 300"));
        }
    }

    private List<String> leaders() {
        return runs.entrySet().stream()
                .filter(entry ->
                        entry.getValue().isAlive() && entry.getValue().out().contains("leads"))
                .map(Map.Entry::getKey)
                .toList();
    }

    private RunProcess run(String candidate) {
        return Objects.requireNonNull(runs.get(candidate), candidate);
    }

    private String awaitLeader(Duration bound) {
        assertThat(Waiting.within(bound, () -> leaders().size() == 1))
                .as(() -> "one leads: "
                        + runs.values().stream().map(RunProcess::err).toList())
                .isTrue();
        return leaders().get(0);
    }

    @Test
    void oneOfThreeRunsTheCommandAndAnotherOnceItIsKilled() throws IOException, InterruptedException {
        start();
        String first = awaitLeader(SOON);
        String token = run(first).out().strip().substring("leads ".length());

        Said status = verb("status", ELECTION, "--at", at, "-o", "json");
        assertThat(status.text())
                .contains("\"consistency\":\"LINEARIZABLE\"", "\"token\":" + token, "\"name\":\"" + first);
        assertThat(verb("check", ELECTION, "--at", at, "--token", token).code()).isZero();
        assertThat(verb("check", ELECTION, "--at", at, "--token", "99999").code())
                .isEqualTo(4);
        assertThat(verb("wait", ELECTION, "--for", "leader=" + first, "--timeout", "10s", "--at", at)
                        .code())
                .isZero();

        ProcessHandle.of(run(first).pid()).orElseThrow().destroyForcibly();
        run(first).exitCode();

        String second = awaitLeader(LEASE.plus(SLACK));
        assertThat(second).isNotEqualTo(first);
        long next = Long.parseLong(run(second).out().strip().substring("leads ".length()));
        assertThat(next).isGreaterThan(Long.parseLong(token));
        assertThat(verb("check", ELECTION, "--at", at, "--token", token).code())
                .as("stale")
                .isEqualTo(3);
    }

    @Test
    void theLeaderHandsOverToWhomAnOperatorNames() throws IOException, InterruptedException {
        start();
        String first = awaitLeader(SOON);
        String next = ids.stream().filter(id -> !id.equals(first)).findFirst().orElseThrow();

        Said transfer = verb("transfer", ELECTION, "--to", next, "--at", at);

        assertThat(transfer.code()).as(transfer.text()).isZero();
        assertThat(transfer.text()).contains(next);
        assertThat(Waiting.within(SLACK, () -> leaders().contains(next))).isTrue();
        assertThat(run(first).exitCode()).as("ended by a transfer").isEqualTo(79);
    }

    @Test
    void whatNeedsARecordIsRefusedInOneSentence() throws IOException, InterruptedException {
        for (String[] words :
                new String[][] {{"freeze", ELECTION, "--why", "x"}, {"thaw", ELECTION}, {"history", ELECTION}}) {
            List<String> line = new ArrayList<>(List.of(words));
            line.addAll(List.of("--at", at));
            Said said = verb(line.toArray(new String[0]));
            assertThat(said.code()).as(said.text()).isEqualTo(78);
            assertThat(said.text())
                    .contains("needs a record, and peers keep none: use a coordinator, such as quorum://");
        }
    }

    @Test
    void aBullyAndARankAreRefused() throws IOException, InterruptedException {
        String bully = "peers+bully://" + String.join(",", ids);

        Said run = verb("run", ELECTION, "--at", bully, "--me", ids.get(0), "--", "true");
        Said ranked = verb(
                "run",
                ELECTION,
                "--at",
                at,
                "--me",
                ids.get(0),
                "--data",
                data(ids.get(0)),
                "--priority",
                "5",
                "--",
                "true");

        assertThat(run.code()).isEqualTo(78);
        assertThat(run.text()).contains("could not stop its command in time");
        assertThat(ranked.code()).isEqualTo(64);
        assertThat(ranked.text()).contains("peers know no --name, no rank");
    }
}
