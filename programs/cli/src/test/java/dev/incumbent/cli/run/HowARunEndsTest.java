package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real runs that end in every way that can be had without a wait: the exit code, the file of {@code --json-exit}, the sentence, and how soon. */
@Tag("field")
final class HowARunEndsTest {
    /** Far less than the lease, which no such end waits for. */
    private static final Duration PROMPTLY = Duration.ofSeconds(12);

    @TempDir
    private Path folder;

    private RunProcess start(String... words) {
        List<String> line = new ArrayList<>(
                List.of("job", "--json-exit", folder.resolve("exit.json").toString()));
        if (!List.of(words).contains("--lease")) {
            line.addAll(List.of("--lease", "60s"));
        }
        line.addAll(Arrays.asList(words));
        return RunProcess.start(folder, line.toArray(String[]::new));
    }

    /** One whose command runs until it is told to end. */
    private RunProcess leading(String... flags) {
        Path begun = folder.resolve("begun");
        List<String> line = new ArrayList<>(List.of(flags));
        line.addAll(List.of("--", "sh", "-c", "echo >> $0; exec sleep 600", begun.toString()));
        RunProcess run = start(line.toArray(String[]::new));
        RunProcess.awaitLines(begun, 1);
        return run;
    }

    private void assertEnds(RunProcess run, String json, String sentence) {
        assertEndsWith(run, json);
        assertThat(run.err()).contains(sentence);
    }

    private void assertEndsInSilence(RunProcess run, String json) {
        assertEndsWith(run, json);
        assertThat(run.err()).isEmpty();
    }

    private void assertEndsWith(RunProcess run, String json) {
        String told = "\"code\":" + run.exitCodeWithin(PROMPTLY) + ",";
        assertThat(RunProcess.read(folder.resolve("exit.json"))).contains(told).contains(json);
    }

    @Test
    void aCommandThatCannotBeExecutedIs127Or126() {
        try (RunProcess missing = start("--", "no-such-command")) {
            assertEnds(
                    missing,
                    "\"token\":1,\"code\":127,\"reason\":\"not-executed\",\"childCode\":null",
                    "job: 'no-such-command' was not found\n");
        }
        try (RunProcess aFolder = start("--", "/tmp")) {
            assertEnds(
                    aFolder,
                    "\"token\":2,\"code\":126,\"reason\":\"not-executed\",\"childCode\":null",
                    "job: '/tmp' cannot be executed\n");
        }
    }

    @Test
    void whoDoesNotLeadAndWhoIsSignalledFirstHaveNoToken() {
        try (RunProcess leader = leading()) {
            try (RunProcess atOnce = start("-n", "-E", "75", "--", "true")) {
                assertEnds(
                        atOnce,
                        "\"token\":null,\"code\":75,\"reason\":\"not-acquired\",\"childCode\":null",
                        "job: not acquired: ");
            }
            try (RunProcess patient = start("--wait", "300ms", "--", "true")) {
                assertEnds(
                        patient,
                        "\"token\":null,\"code\":1,\"reason\":\"not-acquired\",\"childCode\":null",
                        "job: not acquired within 300ms\n");
            }
            try (RunProcess waiting = start("-v", "--", "true")) {
                RunProcess.await("a wait", () -> waiting.err().contains("waits: "));
                waiting.signal("TERM");
                assertEnds(
                        waiting,
                        "\"token\":null,\"code\":143,\"reason\":\"signal\",\"childCode\":null",
                        "ends: signal\n");
            }
            leader.signal("TERM");
            assertEndsInSilence(leader, "\"token\":1,\"code\":143,\"reason\":\"ended\",\"childCode\":143");
        }
    }

    @Test
    void aHookThatFailsGivesTheLeadershipUp() {
        try (RunProcess run = start("-E", "75", "--on-acquire", "exit 3", "--", "true")) {
            assertEnds(
                    run,
                    "\"token\":1,\"code\":75,\"reason\":\"on-acquire-failed\",\"childCode\":null",
                    "job: the command of --on-acquire failed, or lasted a lease; the leadership is given up\n");
        }
    }

    @Test
    void aSinkThatIsNotThereIs81() {
        try (RunProcess run = start("--sink", "jdbc:sqlite:" + folder.resolve("none.db"), "--", "true")) {
            assertEnds(
                    run,
                    "\"token\":null,\"code\":81,\"reason\":\"sink-unraised\",\"childCode\":null",
                    "there is no such file");
        }
    }

    @Test
    void anUnsafeTimingIs78() {
        try (RunProcess run = start("--stop-budget", "50s", "--", "true")) {
            assertEnds(
                    run,
                    "\"token\":null,\"code\":78,\"reason\":\"configuration\",\"childCode\":null",
                    "stopBudget 50000 ms leaves");
        }
    }

    @Test
    void aKilledSupervisorIs70() {
        try (RunProcess run = leading()) {
            RunProcess.signal("KILL", run.supervisors().get(0));

            assertEnds(
                    run,
                    "\"token\":1,\"code\":70,\"reason\":\"supervisor-died\",\"childCode\":null",
                    "job: the supervisor was killed, and the command with it\n");
        }
    }

    @Test
    void anOperatorsOrderIs79WithItsReason() {
        try (RunProcess run = leading()) {
            Operator.ask(folder, operator -> operator.resign(Duration.ofSeconds(20)));

            assertEnds(
                    run,
                    "\"token\":1,\"code\":79,\"reason\":\"resigned\",\"childCode\":143",
                    "job: the leadership ended before the command did: resigned\n");
        }
    }

    @Test
    void anOrderThatComesWhileTheDescendantsOfAHookEndIs79AndNothingIsStarted() {
        Leftover leftover = new Leftover(folder);
        Path begun = folder.resolve("begun");
        try (RunProcess run = start(
                "-v",
                "--on-acquire",
                leftover.line() + "exit 0",
                "--",
                "sh",
                "-c",
                "echo > " + begun + "; sleep 600")) {
            leftover.awaitAsked();

            CompletableFuture<?> order = CompletableFuture.runAsync(
                    () -> Operator.ask(folder, operator -> operator.resign(Duration.ofSeconds(20))));
            RunProcess.await("an end of the term", () -> run.err().contains("term 1 is over: RESIGNED"));
            leftover.thaw(run);

            assertEnds(
                    run,
                    "\"token\":1,\"code\":79,\"reason\":\"resigned\",\"childCode\":null",
                    "job: the leadership ended before the command did: resigned\n");
            assertThat(begun).doesNotExist();
            order.join();
        }
    }

    @Test
    void aHealthCheckThatFailsIs79WithItsReason() throws Exception {
        Path well = Files.createFile(folder.resolve("well"));
        try (RunProcess run = leading("--health-cmd", "test -e " + well, "--health-every", "1s")) {
            Files.delete(well);

            assertEnds(
                    run,
                    "\"token\":1,\"code\":79,\"reason\":\"unhealthy\",\"childCode\":143",
                    "job: the leadership ended before the command did: unhealthy\n");
        }
    }

    /** The leader reads the mark a few times in a lease. */
    @Test
    @Tag("realtime")
    void aMarkAboveItsOwnIs79WithItsReason() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("ledger.db");
        SinkProvider provider = ServiceLoader.load(SinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.opens(url))
                .findFirst()
                .orElseThrow();
        provider.install(url);
        Sink sink = provider.open(url, Duration.ofSeconds(5));
        try (RunProcess run = leading("--lease", "20s", "--sink", url)) {
            Mark above = new Mark(new FencingToken(9), MarkOwner.ofOperator("tester"));
            sink.raise(new ElectionName("job"), above).toCompletableFuture().get(20, TimeUnit.SECONDS);

            assertEnds(
                    run,
                    "\"token\":1,\"code\":79,\"reason\":\"superseded\",\"childCode\":143",
                    "job: the leadership ended before the command did: superseded\n");
        } finally {
            sink.close();
        }
    }
}
