package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.simulation.Plan;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the verbs of the worlds print, and how they exit. */
class SimulateVerbsTest {
    private final Office office = new Office(new VirtualTimeline());

    @Test
    void aBatchTooSmallForAllMarksIsGoodAndSaysSo() {
        CommandRun run = office.run("simulate", "run", "--seeds", "2", "--base", "c0ffee");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("2 seeds, ")
                .contains("0 violations", "too few worlds to hit every mark, as 1000 must: [", "base c0ffee, hash ");
    }

    @Test
    void aBatchInJsonIsNumbersAlone() {
        CommandRun run = office.run("simulate", "run", "--seeds", "2", "--base", "c0ffee", "--jobs", "1", "-o", "json");

        assertThat(run.out())
                .matches("\\{\"seeds\":2,\"hours\":0\\.\\d{3},\"events\":\\d+,\"violations\":0,"
                        + "\"marksHit\":\\d+,\"marksRequired\":\\d+,\"rareMarksHit\":\\d+}\n");
        assertThat(run.err()).contains("too few worlds to hit every mark");
    }

    @Test
    void aBatchEndsWithTheWorldThatFillsItsHours() {
        CommandRun run =
                office.run("simulate", "run", "--hours", "0.5", "--base", "c0ffee", "--jobs", "1", "-o", "json");
        CommandRun oneLess = office.run("simulate", "run", "--seeds", "1", "--base", "c0ffee", "-o", "json");

        double hours = hours(run);
        assertThat(hours).isBetween(0.5, 0.5 + 15.0 * 110 / 3600);
        assertThat(oneLess.out()).isNotEqualTo(run.out());
    }

    @Test
    @Tag("trial")
    void aCalmHourCostsNoTermAndOneOfLongPausesDoes() {
        CommandRun calm = office.run("simulate", "calm", "--base", "c0ffee", "-o", "json");
        CommandRun paused = office.run("simulate", "calm", "--base", "c0ffee", "--longest", "900ms");

        assertThat(calm.out()).matches("\\{\"hours\":1,\"events\":\\d+,\"preempted\":0,\"violations\":0}\n");
        assertThat(calm.code()).isZero();
        assertThat(paused.out())
                .matches(
                        "1 hours of three processes, delays of at most 900ms, \\d+ events: [1-9]\\d* leaders preempted;"
                                + " base c0ffee\n");
        assertThat(paused.code()).isEqualTo(1);
        assertThat(office.run("simulate", "calm", "--hours", "0").code()).isEqualTo(64);
        assertThat(office.run("simulate", "calm", "--longest", "11s").err()).contains("a delay is 0 to 10 s long");
    }

    private static double hours(CommandRun run) {
        return Double.parseDouble(run.out().replaceAll(".*\"hours\":([0-9.]+),.*\\s*", "$1"));
    }

    @Test
    void theSameBaseMakesTheSameWorlds() {
        CommandRun once = office.run("simulate", "run", "--seeds", "2", "--base", "00ff", "-o", "json");
        CommandRun again = office.run("simulate", "run", "--seeds", "2", "--base", "00FF", "--jobs", "2", "-o", "json");
        CommandRun other = office.run("simulate", "run", "--seeds", "2", "--base", "00fe", "-o", "json");

        assertThat(again).isEqualTo(once);
        assertThat(other).isNotEqualTo(once);
    }

    @Test
    void oneWorldIsPlayedAgainAndTold() {
        CommandRun plain = office.run("simulate", "replay", "0x9ee3ed656095bd19");
        CommandRun traced = office.run("simulate", "replay", "0x9ee3ed656095bd19", "--trace");

        assertThat(plain.code()).isZero();
        assertThat(plain.out()).contains("no violation").hasLineCount(3);
        assertThat(traced.out()).endsWith(plain.out()).contains("fault ", "SwapRecord", "CANDIDATE");
    }

    @Test
    void aPlanThatWasKeptIsPlayedAgain(@TempDir Path folder) throws IOException {
        Path plan = Files.writeString(
                folder.resolve("plan.json"), Plan.of(0x9ee3ed656095bd19L).text());
        Path noPlan = Files.writeString(folder.resolve("no-plan.json"), "{}");

        assertThat(office.run("simulate", "replay", plan.toString()))
                .isEqualTo(office.run("simulate", "replay", "0x9ee3ed656095bd19"));
        assertThat(office.run("simulate", "replay", noPlan.toString()).err()).contains("holds no plan of a world");
        assertThat(office.run("simulate", "shrink", plan.toString()).code()).isEqualTo(1);
    }

    @Test
    void aWorldThatHoldsIsNotShrunk() {
        CommandRun run = office.run("simulate", "shrink", "1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("violates nothing");
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        assertThat(office.run("simulate", "replay", "0xzz").code()).isEqualTo(64);
        assertThat(office.run("simulate", "run", "--base", "xyz").err()).contains("'xyz' is no base");
        assertThat(office.run("simulate", "run", "--seeds", "0").code()).isEqualTo(64);
        assertThat(office.run("simulate", "run", "--jobs", "0").code()).isEqualTo(64);
        assertThat(office.run("simulate", "run", "--minutes", "0").code()).isEqualTo(64);
        assertThat(office.run("simulate", "run", "--hours", "0").err()).contains("--hours 0.0: more than none");
        assertThat(office.run("simulate", "run", "--profile", "calm").code()).isEqualTo(64);
    }
}
