package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Stonith;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.Timing;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flags of STONITH make of a run, and what is refused at its start. */
class StonithSettingsTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(15));

    private final VirtualTimeline timeline = new VirtualTimeline();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void aFile() throws IOException {
        file = Files.writeString(
                folder.resolve("stonith.conf"), "[a]\noff = exit 0\nstatus = exit 2\npcmk_host_list = n1\n");
    }

    @Test
    void anAgentHasAllTheTimeThatTheLeaseLeavesIt() {
        Stonith stonith = read(Optional.of("n2"), Optional.empty()).in(TIMING, timeline);

        assertThat(stonith.on().node()).isEqualTo("n2");
        assertThat(stonith.bound()).isEqualTo(TIMING.validFor().minus(TIMING.requestTimeout()));
        assertThat(stonith.bound().toMillis()).isBetween(12_900L, 13_100L);
    }

    /** An agent ends, and the programs that lead through it work on. */
    @Test
    void aProcessThatLeadsForOthersIsListedAsOne() {
        StonithSettings settings = read(Optional.of("n2"), Optional.empty());

        assertThat(settings.in(TIMING, timeline).on().process()).doesNotContain("for-others");
        assertThat(settings.forOthers().in(TIMING, timeline).on().process()).startsWith("for-others:");
    }

    @Test
    void aMachineIsCalledAsItsKernelCallsIt() {
        assertThat(StonithSettings.nameOf("ledger-1", "uts:[4026531838]")).isEqualTo("ledger-1");
    }

    /** A pod that was moved has its old name on another machine, where the old one may still write. */
    @Test
    void aNameThatIsNotOfOneMachineIsRefused() {
        refused(
                ExitCodes.CONFIGURATION,
                () -> StonithSettings.nameOf("ledger-0", "uts:[4026532301]"),
                "--stonith: 'ledger-0' is a container's name");
        refused(
                ExitCodes.CONFIGURATION,
                () -> StonithSettings.nameOf("localhost.localdomain", "uts:[4026531838]"),
                "name this machine by --stonith-node");
    }

    @Test
    void anAgentsTimeThatNoGuardHoldsForIsRefused() {
        refused(
                ExitCodes.CONFIGURATION,
                () -> read(Optional.of("n2"), Optional.of(Duration.ofSeconds(20)))
                        .in(TIMING, timeline),
                "--stonith: a fence agent has 20000 ms, but with a lease of 15000 ms the guard holds for ");
        refused(
                ExitCodes.USAGE,
                () -> read(Optional.of("n2"), Optional.of(Duration.ofMillis(500))),
                "--stonith-timeout is at least 1s, this one is 500ms");
        refused(
                ExitCodes.CONFIGURATION,
                () -> read(Optional.of("n2"), Optional.empty())
                        .in(Timing.ofLease(Duration.ofMillis(600), Duration.ofMillis(100), Duration.ZERO), timeline),
                "make --lease longer");
    }

    @Test
    void eachLevelOfANodeNeedsItsTime() throws IOException {
        Files.writeString(file, """
                [a]
                off = exit 0
                status = exit 2
                pcmk_host_list = n1
                [b]
                off = exit 0
                status = exit 2
                pcmk_host_list = n1
                [fencing_topology]
                n1 = a b
                """);

        refused(
                ExitCodes.CONFIGURATION,
                () -> read(Optional.of("n2"), Optional.of(Duration.ofMillis(1_900)))
                        .in(TIMING, timeline),
                "--stonith needs at least 2s for the 2 levels of a node, and --stonith-timeout is 1.9s");
        assertThat(read(Optional.of("n2"), Optional.of(Duration.ofSeconds(2)))
                        .in(TIMING, timeline)
                        .bound())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aFileThatIsNotThereAndANameWithABlankAreRefused() {
        refused(
                ExitCodes.CONFIGURATION,
                () -> StonithSettings.read(folder.resolve("none"), Optional.empty(), Optional.empty()),
                "--stonith: " + folder.resolve("none") + " cannot be read");
        refused(ExitCodes.USAGE, () -> read(Optional.of("a b"), Optional.empty()), "--stonith-node: a node's name");
    }

    private StonithSettings read(Optional<String> node, Optional<Duration> timeout) {
        return StonithSettings.read(file, node, timeout);
    }

    private static void refused(int code, ThrowingCallable what, String why) {
        assertThatThrownBy(what)
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(why)
                .satisfies(refusal -> assertThat(((Refusal) refusal).exitCode()).isEqualTo(code));
    }
}
