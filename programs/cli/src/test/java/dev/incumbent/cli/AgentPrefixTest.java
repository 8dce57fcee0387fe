package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code incumbent agent} over two SQLite files, as a process of its own, asked by curl. */
@Timeout(180)
class AgentPrefixTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void eachElectionIsAtTheFileOfItsPrefixAndAFileHasOneSession() throws Exception {
        agent("--prefix", "batch/=" + at("b.db"), "--prefix", "jobs=" + at("b.db"));
        for (String election : List.of("web", "jobs", "jobs%2Fx", "batch%2Fx")) {
            lead(election);
        }

        assertThat(ask("/v1/elections").at("elections").items())
                .extracting(Json::text)
                .containsExactly("batch/x", "jobs", "jobs/x", "web");
        assertThat(names(status("a.db"))).containsExactly("jobs/x", "web");
        List<Json> own = status("b.db");
        assertThat(names(own)).containsExactly("batch/x", "jobs");
        assertThat(own)
                .extracting(one -> one.at("leader").at("id").text())
                .as("one candidate leads both")
                .doesNotContain("")
                .containsOnly(own.get(0).at("leader").at("id").text());
    }

    @Test
    void aPrefixMayComeFromTheEnvironment() throws Exception {
        ProcessBuilder builder = CommandLineProcess.of(
                "agent", "--at", at("a.db"), "--listen", "unix:" + folder.resolve("agent.sock"), "--lease", "60s");
        builder.environment().put("INCUMBENT_PREFIX", "batch/=" + at("b.db"));
        listen(builder);
        lead("batch%2Fx");

        assertThat(names(status("b.db"))).containsExactly("batch/x");
    }

    private void agent(String... prefixes) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "agent", "--at", at("a.db"), "--listen", "unix:" + folder.resolve("agent.sock"), "--lease", "60s"));
        words.addAll(List.of(prefixes));
        listen(CommandLineProcess.of(words.toArray(new String[0])));
    }

    private void listen(ProcessBuilder agent) throws IOException {
        started.add(agent.redirectErrorStream(true)
                .redirectOutput(folder.resolve("agent.out").toFile())
                .start());
        await("the agent answers", () -> !curl("/v1/elections").isEmpty()); // its socket has a name before it listens
    }

    private String at(String file) {
        return "file:" + folder.resolve(file);
    }

    private void lead(String election) throws IOException {
        String campaign = "/v1/elections/" + election + "/campaign";
        String id = ask(campaign, "-d", "{\"ttlMs\":60000}").at("id").text();
        await(
                election + " is led",
                () -> ask(campaign + "/" + id, "-d", "{}").at("leads").flag());
    }

    private Json ask(String path, String... flags) {
        return json(curl(path, flags));
    }

    private String curl(String path, String... flags) {
        List<String> line = new ArrayList<>(List.of(
                "curl", "-s", "--unix-socket", folder.resolve("agent.sock").toString()));
        line.addAll(List.of(flags));
        line.add("http://localhost" + path);
        return run(new ProcessBuilder(line));
    }

    private List<Json> status(String file) {
        return json(run(CommandLineProcess.of("status", "--at", at(file), "-o", "json")))
                .at("elections")
                .items();
    }

    private static List<String> names(List<Json> elections) {
        return elections.stream().map(one -> one.at("election").text()).toList();
    }

    private static String run(ProcessBuilder builder) {
        try {
            return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Json json(String text) {
        try {
            return Json.read(text);
        } catch (dev.incumbent.wire.JsonException none) {
            throw new IllegalStateException(text, none);
        }
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
