package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.telling.DurationText;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a candidate may tell of itself by flags. */
final class WhoTest {
    private static final Duration LEASE = Duration.ofSeconds(15);

    @Test
    void aRankIsToldByFlags() {
        Who who = read("--priority", "5", "--app-version", "1.4.2", "--oldest-first", "--zone", "us");

        who.check();

        assertThat(who.rank()).isEqualTo(new CandidateRank(5, "1.4.2", true, "us", ""));
        assertThat(read().rank()).isEqualTo(CandidateRank.PLAIN);
    }

    @Test
    void aFlagWhoseValueIsEmptyIsRefused() {
        for (String flag : new String[] {"--app-version", "--zone", "--preferred-zone", "--name", "--address"}) {
            assertRefused(() -> read(flag, "").check(), flag + " has ");
        }
    }

    @Test
    void aPreferredZoneNeedsAZone() {
        assertRefused(() -> read("--preferred-zone", "eu").check(), "--preferred-zone needs --zone");

        read("--preferred-zone", "eu", "--zone", "us").check();
    }

    @Test
    void aTermIsMovedAfterALeaseAtTheEarliestAndAYearAtTheLatest() {
        assertRefused(
                () -> read("--moves-to-better", "14s").check(LEASE),
                "--moves-to-better is at least the lease of 15s, this one is 14s");
        assertRefused(
                () -> read("--moves-to-better", "8785h").check(LEASE),
                "--moves-to-better is at most 8784h, which is 366 days, this one is 8785h");

        read("--moves-to-better", "15s").check(LEASE);
        read("--moves-to-better", "8784h").check(LEASE);
    }

    private static void assertRefused(Runnable check, String why) {
        assertThatThrownBy(check::run)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCodes.USAGE))
                .hasMessageContaining(why);
    }

    private static Who read(String... flags) {
        Who who = new Who();
        new CommandLine(who)
                .registerConverter(Duration.class, DurationText::parse)
                .parseArgs(flags);
        return who;
    }
}
