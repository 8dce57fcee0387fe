package dev.incumbent.cli.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.incumbent.model.Timing;
import dev.incumbent.supervisor.SupervisorBinary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClockErrorTest {
    private static final Duration LEASE = Duration.ofSeconds(15);

    @Test
    void aKernelThatNtpdDisciplinesVouchesForItsOffsetAndAFrequencyWithin500Ppm() {
        ClockError error = Kernel.parse(
                        "{\"state\":0,\"status\":8193,\"offset\":-134221,\"freq\":-1176432,\"maxerror\":12500,"
                                + "\"esterror\":310,\"tolerance\":32768000,\"tick\":10000}")
                .orElseThrow();

        assertThat(error.isSynchronised()).isTrue();
        assertThat(error.offset()).isEqualTo(Duration.ofNanos(12_500_000));
        assertThat(error.ratePpm()).isEqualTo(500);
        assertThat(error.rateOver(LEASE)).isCloseTo(0.0005 + 0.025 / 15, within(1e-9));
        assertThat(error.driftBound(LEASE)).isEqualTo(error.rateOver(LEASE));
    }

    @Test
    void anUnsynchronisedKernelVouchesForNothingAndTheStandardStays() {
        for (String line : new String[] {
            "{\"state\":5,\"status\":64,\"offset\":0,\"freq\":0,\"maxerror\":16000000,\"esterror\":16000000,\"tolerance\":32768000,\"tick\":10000}",
            "{\"state\":5,\"status\":1,\"maxerror\":1000,\"tolerance\":32768000,\"tick\":10000}",
            "{\"state\":0,\"status\":65,\"maxerror\":1000,\"tolerance\":32768000,\"tick\":10000}"
        }) {
            ClockError error = Kernel.parse(line).orElseThrow();

            assertThat(error.isSynchronised()).as(line).isFalse();
            assertThat(error.driftBound(LEASE)).isEqualTo(Timing.DRIFT_BOUND);
            assertThat(error.sentence(LEASE)).contains("NOT SYNCHRONISED", "1000 ppm stays");
        }
    }

    @Test
    void chronyVouchesForItsOffsetDelayAndDispersion() {
        ClockError error = Chrony.parse(
                        "A29FC87B,162.159.200.123,4,1795283229.123456789,-0.000400000,0.000012345,0.000123456,"
                                + "-18.017,-0.020,0.230,0.004000000,0.001600000,64.4,Normal\n")
                .orElseThrow();

        assertThat(error.isSynchronised()).isTrue();
        assertThat(error.offset()).isEqualTo(Duration.ofMillis(4));
        assertThat(error.ratePpm()).isCloseTo(1.25, within(1e-9));
        assertThat(error.rateOver(LEASE)).isCloseTo(0.008 / 15 + 1.25e-6, within(1e-9));
        assertThat(error.driftBound(LEASE)).as("never below the standard").isEqualTo(Timing.DRIFT_BOUND);
        assertThat(error.sentence(LEASE)).contains("chrony", "at most 4 ms off", "auto takes 1000 ppm");
    }

    @Test
    void aClockThatIsBeingSlewedFastIsBoundedByHowFarItIsOff() {
        ClockError error = Chrony.parse(
                        "A29FC87B,162.159.200.123,4,1795283229.1,0.5,0.5,0.1,-18.0,0.0,1.0,0.004,0.001,64.4,Normal")
                .orElseThrow();

        assertThat(error.driftBound(Duration.ofSeconds(10)))
                .as("a second in ten, however fast chrony slews")
                .isGreaterThan(0.1);
        assertThat(error.driftBound(Duration.ofHours(1))).isEqualTo(Timing.DRIFT_BOUND);
    }

    @Test
    void chronyThatHasNoSourceVouchesForNothing() {
        assertThat(Chrony.parse("7F7F0101,,0,0.0,0.0,0.0,0.0,-18.0,0.0,0.0,1.0,1.0,0.0,Not synchronised")
                        .orElseThrow()
                        .isSynchronised())
                .isFalse();
    }

    /** As chrony 4.3 printed them, one beside a server on the same machine and one that reached none. */
    @Test
    void linesThatChronyPrintedAreUnderstood() {
        ClockError kept = Chrony.parse(
                        "7F000001,127.0.0.1,9,1795295192.571324284,-0.000001177,0.000000107,0.000000351,-0.024,0.005,"
                                + "0.152,0.000005194,0.000001763,0.5,Normal\n")
                .orElseThrow();
        ClockError alone = Chrony.parse(
                        "00000000,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,1.000000000,"
                                + "1.000000000,0.0,Not synchronised\n")
                .orElseThrow();

        assertThat(kept.isSynchronised()).isTrue();
        assertThat(kept.offset()).isEqualTo(Duration.ofNanos(5_537));
        assertThat(alone.isSynchronised()).isFalse();
    }

    @Test
    void whatIsNoSuchLineTellsNothing() {
        for (String text : new String[] {
            "",
            "506 Cannot talk to daemon",
            "{}",
            "{\"state\":0}",
            "a,b,c",
            ",,,,,,,,,,,,,",
            "1,2,3,4,NaN,6,7,8,9,10,11,12,13,Normal"
        }) {
            assertThat(Kernel.parse(text)).as(text).isEmpty();
            assertThat(Chrony.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void theKernelOfThisMachineTellsOfItsClock(@TempDir Path folder) throws Exception {
        Optional<ClockError> error = ClockSources.kernel(SupervisorBinary.findOrBuild(folder));

        assertThat(error).isPresent();
        assertThat(error.get().ratePpm())
                .as("Linux says so, whatever the clock")
                .isEqualTo(500);
        assertThat(error.get().driftBound(LEASE)).isGreaterThanOrEqualTo(Timing.DRIFT_BOUND);
        assertThat(error.get().json(LEASE).toString())
                .contains("\"source\":\"the kernel (adjtimex)\"", "\"driftBoundPpm\":");
    }
}
