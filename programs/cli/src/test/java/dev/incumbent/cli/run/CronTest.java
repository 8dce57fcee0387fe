package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short job in the crontab of several hosts, whose clocks differ by more than the job lasts. */
@Tag("field")
@Tag("patient")
final class CronTest {
    /** Less than half of the lease, with which a term ends that nobody ended before. A run that starts beside API servers took 12 s once. */
    private static final Duration PROMPTLY = Duration.ofSeconds(25);

    @TempDir
    private Path folder;

    private final List<RunProcess> all = new ArrayList<>();

    @AfterEach
    void end() {
        all.forEach(RunProcess::close);
    }

    @Test
    void ofThreeHostsThatStartThreeTenthsOfASecondApartOneRunsTheJob() {
        Path ran = folder.resolve("ran");
        List<RunProcess> hosts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            hosts.add(job("10m", "sh", "-c", "echo >> $0", ran.toString()));
            RunProcess.awaitLines(ran, 1); // where the machine is slow, the first one's job has ended all the same
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        }

        RunProcess.await(
                "two that give up",
                () -> hosts.stream().filter(RunProcess::isAlive).count() == 1);

        RunProcess.awaitLines(ran, 1);
        assertThat(hosts.stream().filter(host -> !host.isAlive())).hasSize(2).allSatisfy(host -> {
            assertThat(host.exitCode()).isEqualTo(1);
            assertThat(host.err()).contains("job: not acquired: ");
        });
        RunProcess leader =
                hosts.stream().filter(RunProcess::isAlive).findFirst().orElseThrow();
        RunProcess.await("the end of the command", () -> leader.started().isEmpty());
        assertThat(leader.isAlive()).isTrue();
        assertThat(RunProcess.read(ran)).isEqualTo("\n");
    }

    @Test
    void meanwhileTheTermGoesOnAndASignalEndsTheRunAsItsCommandEndedAndLeavesTheLeaseToItself() {
        Path json = folder.resolve("exit.json");
        RunProcess host = holding("--json-exit", json.toString(), "--", "sh", "-c", "exit 7");
        assertThat(status().observed().isVacant()).isFalse();

        host.signal("TERM");

        assertThat(host.exitCodeWithin(PROMPTLY)).isEqualTo(7);
        assertThat(host.err())
                .contains("incumbent: job: ends before --hold-at-least is over; "
                        + "others do not lead before the lease ends, in 1m at most\n");
        assertThat(RunProcess.read(json))
                .isEqualTo("{\"election\":\"job\",\"token\":1,\"code\":7,\"reason\":\"ended\",\"childCode\":7}\n");
        assertThat(status().observed().isVacant()).isFalse();
        assertThat(job("10m", "true").exitCodeWithin(PROMPTLY)).isEqualTo(1);
    }

    @Test
    void anOperatorsOrderEndsTheTermAndTheRunSaysSo() {
        Path json = folder.resolve("exit.json");
        RunProcess host = holding("--json-exit", json.toString(), "--", "sh", "-c", "exit 7");

        Operator.ask(folder, operator -> operator.resign(Duration.ofSeconds(20)));

        assertThat(host.exitCodeWithin(PROMPTLY)).isEqualTo(7);
        assertThat(host.err()).contains("job: the leadership ended before --hold-at-least was over: resigned\n");
        assertThat(RunProcess.read(json)).contains("\"code\":7,\"reason\":\"ended\",\"childCode\":7");
        assertThat(job("0", "true").exitCodeWithin(PROMPTLY)).isZero();
    }

    @Test
    void anOrderThatComesWhileTheJobsDescendantsEndEndsTheTermToo() {
        Leftover leftover = new Leftover(folder);
        RunProcess host = start("10m", List.of("-v", "--", "sh", "-c", leftover.line() + "exit 7"));
        leftover.awaitAsked();

        CompletableFuture<?> order = CompletableFuture.runAsync(
                () -> Operator.ask(folder, operator -> operator.resign(Duration.ofSeconds(20))));
        RunProcess.await("an end of the term", () -> host.err().contains("term 1 is over: RESIGNED"));
        leftover.thaw(host);

        assertThat(host.exitCodeWithin(PROMPTLY)).isEqualTo(7);
        assertThat(host.err()).contains("job: the leadership ended before --hold-at-least was over: resigned\n");
        assertThat(job("0", "true").exitCodeWithin(PROMPTLY)).isZero();
        order.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HUP", "INT", "TERM"})
    void aSignalThatComesWhileTheJobsDescendantsEndEndsTheRunToo(String signal) {
        Leftover leftover = new Leftover(folder);
        RunProcess host = start("10m", List.of("--", "sh", "-c", leftover.line() + "exit 7"));
        leftover.awaitAsked();

        host.signal(signal);
        leftover.thaw(host);

        assertThat(host.exitCodeWithin(PROMPTLY)).isEqualTo(7);
        assertThat(host.err()).contains("job: ends before --hold-at-least is over; ");
        assertThat(status().observed().isVacant()).isFalse();
    }

    @Test
    void aJobThatCouldNotBeStartedMayBeStartedElsewhereAtOnce() {
        assertThat(job("10m", "no-such-command").exitCodeWithin(PROMPTLY)).isEqualTo(127);
        assertThat(job("10m", "no-such-command").exitCodeWithin(PROMPTLY)).isEqualTo(127);
    }

    @Test
    void aJobThatLastedLongerIsReleasedAtOnce() {
        assertThat(job("1ms", "true").exitCodeWithin(PROMPTLY)).isZero();
        assertThat(job("1ms", "true").exitCodeWithin(PROMPTLY)).isZero();
    }

    @Test
    @Tag("realtime")
    void itEndsByItselfOnceItsTimeIsOverAndReleases() {
        Path begun = folder.resolve("begun");
        RunProcess host = job("4s", "sh", "-c", "echo >> $0; exit 3", begun.toString());
        RunProcess.awaitLines(begun, 1);
        long since = System.nanoTime();

        assertThat(host.exitCodeWithin(Duration.ofSeconds(4).plus(PROMPTLY))).isEqualTo(3);

        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)).isGreaterThan(2_000);
        assertThat(host.err()).isEmpty();
        assertThat(job("0", "true").exitCodeWithin(PROMPTLY)).isZero();
    }

    private ElectionStatus status() {
        return Operator.ask(folder, ElectionAdmin::status);
    }

    /** One whose command has ended. */
    private RunProcess holding(String... words) {
        List<String> line = new ArrayList<>(List.of("-v"));
        line.addAll(Arrays.asList(words));
        RunProcess host = start("10m", line);
        RunProcess.await("a hold", () -> host.err().contains("the command has ended; leads on for 9m"));
        return host;
    }

    private RunProcess job(String atLeast, String... command) {
        List<String> line = new ArrayList<>(List.of("--"));
        line.addAll(Arrays.asList(command));
        return start(atLeast, line);
    }

    private RunProcess start(String atLeast, List<String> words) {
        List<String> line = new ArrayList<>(List.of("job", "-n", "--lease", "60s", "--hold-at-least", atLeast));
        line.addAll(words);
        RunProcess host = RunProcess.start(folder, line.toArray(String[]::new));
        all.add(host);
        return host;
    }
}
