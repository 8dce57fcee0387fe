package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.health.HealthCheck;
import dev.incumbent.telling.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the flags about health may say. */
final class HealthFlagsTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final String URL = "http://127.0.0.1:8080/health";

    @TempDir
    private Path folder;

    @Test
    void whereNothingIsAskedThereIsNothing() {
        assertThat(plan()).isEmpty();
    }

    @Test
    void checksAreAskedEachThirdOfALeaseAndOneAnswerDecidesWhereNothingElseIsSaid() {
        HealthPlan plan = plan("--health-http", URL, "--health-disk", folder + "=1B", "--health-http", URL + "2")
                .orElseThrow();

        assertThat(plan.every()).isEqualTo(Duration.ofSeconds(5));
        assertThat(plan.within()).isEqualTo(Duration.ofSeconds(5));
        assertThat(plan.after()).isEqualTo(1);
        assertThat(plan.command()).isEmpty();
        assertThat(plan.checks().stream().map(HealthCheck::name)).containsExactly(URL, URL + "2", "disk " + folder);
    }

    @Test
    void rhythmAndNumberMayBeGiven() {
        HealthPlan plan = plan("--health-cmd", "true", "--health-every", "1s", "--health-after", "3")
                .orElseThrow();

        assertThat(plan.within()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plan("--health-cmd", "true", "--health-every", "100ms")
                        .orElseThrow()
                        .within())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(plan).isEqualTo(new HealthPlan(Optional.of("true"), List.of(), Duration.ofSeconds(1), 3));
    }

    @ParameterizedTest
    @CsvSource({
        "1B, true",
        "1kB, true",
        "1KiB, true",
        "0.5MB, true",
        "0.000001%, true",
        "1000000TB, false",
        "900000TiB, false",
        "100%, false"
    })
    void anAmountIsBytesOrAPartOfTheDisk(String least, boolean isThere) throws Exception {
        HealthPlan plan = plan("--health-disk", folder + "=" + least).orElseThrow();

        assertThat(plan.checks().get(0).ask(0).isWell()).isEqualTo(isThere);
    }

    @ParameterizedTest
    @CsvSource({
        "2kB, 2 kB",
        "2MB, 2 MB",
        "2KiB, 2 kB",
        "2MiB, 2.1 MB",
        "2GB, 2 GB",
        "2GiB, 2.1 GB",
        "2TB, 2 TB",
        "2TiB, 2.2 TB"
    })
    void unitsMeanWhatTheySay(String least, String told) throws Exception {
        List<HealthCheck> checks = HealthValues.checks(List.of(), List.of("/proc=" + least));

        assertThat(checks.get(0).ask(0).why()).as("nothing is free in /proc").endsWith("less than " + told);
    }

    @Test
    void aPathMayHaveAnEqualsSign() {
        assertThat(HealthValues.checks(List.of(), List.of("/a=b=5%")).get(0).name())
                .isEqualTo("disk /a=b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var",
                "=5%",
                "/var=",
                "/var=5",
                "/var=five%",
                "/var=0MB",
                "/var=0%",
                "/var=101%",
                "/var=5 MB",
                "/var=-5MB",
                "/var=0.1B",
                "/var=999999999999999TB",
                "/var=5mb"
            })
    void aDiskThatCannotBeMeantIsRefused(String disk) {
        assertRefused("--health-disk has the form PATH=MIN, such as /var/lib=500MB", "--health-disk", disk);
        assertRefused("this one is '" + disk + "'", "--health-disk", disk);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:8080", "ftp://host/", "http:/x", "http://me:secret@host/", "http://a b/", "health"})
    void whatIsNoAddressIsRefusedAndNotRepeated(String url) {
        assertRefused("--health-http has an address such as http://127.0.0.1:8080/health", "--health-http", url);
        assertThatThrownBy(() -> plan("--health-http", url)).hasMessageNotContaining("secret");
    }

    @Test
    void whatCannotWorkIsRefused() {
        assertRefused("--health-after is 1 to 100, this one is 0", "--health-cmd", "true", "--health-after", "0");
        assertRefused("--health-after is 1 to 100, this one is 101", "--health-cmd", "true", "--health-after", "101");
        assertRefused(
                "--health-every is 100ms to 1h, this one is 99ms", "--health-cmd", "true", "--health-every", "99ms");
        assertRefused("--health-every is 100ms to 1h, this one is 2h", "--health-cmd", "true", "--health-every", "2h");
        assertRefused("--health-every has no effect without --health-cmd", "--health-every", "1s");
        assertRefused("--health-after has no effect without --health-cmd", "--health-after", "1");
    }

    @Test
    void theLongestAndTheMostAreAllowed() {
        assertThat(plan("--health-cmd", "true", "--health-every", "1h")
                        .orElseThrow()
                        .every())
                .isEqualTo(Duration.ofHours(1));
        assertThat(plan("--health-cmd", "true", "--health-after", "100")
                        .orElseThrow()
                        .after())
                .isEqualTo(100);
        assertThat(plan(some(16, 16)).orElseThrow().checks()).hasSize(32);
    }

    @Test
    void aThirdOfALongLeaseIsAnHourAtMost() {
        assertThat(plan(Duration.ofHours(3), "--health-cmd", "true")
                        .orElseThrow()
                        .every())
                .isEqualTo(Duration.ofHours(1));
        assertThat(plan(Duration.ofHours(4), "--health-cmd", "true")
                        .orElseThrow()
                        .every())
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void checksAreBounded() {
        for (String[] many : List.of(some(33, 0), some(16, 17), some(0, 33))) {
            assertRefused("at most 32 times, not 33", many);
        }
    }

    private String[] some(int probes, int disks) {
        List<String> flags = new ArrayList<>();
        for (int i = 0; i < probes; i++) {
            flags.addAll(List.of("--health-http", URL));
        }
        for (int i = 0; i < disks; i++) {
            flags.addAll(List.of("--health-disk", folder + "=1B"));
        }
        return flags.toArray(new String[0]);
    }

    private static void assertRefused(String why, String... flags) {
        assertThatThrownBy(() -> plan(flags))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCodes.USAGE))
                .hasMessageContaining(why);
    }

    private static Optional<HealthPlan> plan(String... flags) {
        return plan(LEASE, flags);
    }

    private static Optional<HealthPlan> plan(Duration lease, String... flags) {
        HealthFlags read = new HealthFlags();
        new CommandLine(read)
                .registerConverter(Duration.class, DurationText::parse)
                .parseArgs(flags);
        return read.plan(lease);
    }
}
