package dev.incumbent.stonith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.HolderProof;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes with several fence devices, which are real programs: tried in their order, or together. */
class FenceLevelsTest {
    private final SystemTimeline timeline = new SystemTimeline();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        timeline.close();
    }

    @Test
    void theNextLevelIsTriedWhereOneFails() throws Exception {
        levels("a b", "off = echo no route; exit 1", "status = exit 2", "off = exit 0", "status = exit 2");

        assertThat(asked(FenceScript.BOUND)).isEqualTo(HolderProof.Kind.OFF);
        assertThat(calls()).containsExactly("a off", "b off", "b status");
    }

    @Test
    void theNextLevelIsNotTriedWhereTheFirstOneHasSeenItOff() throws Exception {
        levels("a b", "off = exit 0", "status = exit 2", "off = exit 0", "status = exit 2");

        assertThat(asked(FenceScript.BOUND)).isEqualTo(HolderProof.Kind.OFF);
        assertThat(calls()).containsExactly("a off", "a status");
    }

    /** Two power supplies, a switch for each. */
    @Test
    void allDevicesOfALevelTurnItOffBeforeAnyIsAskedWhetherItIs() throws Exception {
        levels("a, b", "off = exit 0", "status = exit 2", "off = exit 0", "status = exit 2");

        assertThat(asked(FenceScript.BOUND)).isEqualTo(HolderProof.Kind.OFF);
        assertThat(calls()).containsExactly("a off", "b off", "a status", "b status");
    }

    @Test
    void oneDeviceOfALevelThatSaysOnIsEnoughToFail() throws Exception {
        levels("a,b", "off = exit 0", "status = exit 2", "off = exit 0", "status = exit 0");

        assertThatThrownBy(() -> asked(FenceScript.BOUND))
                .hasMessage("fence device b for node n1: after off, status exits with 0 (2 is off, 0 on)");
    }

    @Test
    void whereAllLevelsFailEachIsTold() throws Exception {
        levels("a b", "off = exit 1", "status = exit 2", "off = exit 0", "status = exit 0");

        assertThatThrownBy(() -> asked(FenceScript.BOUND))
                .hasMessage(
                        "level 1: fence device a for node n1: off exits with 1; then level 2: fence device b for node n1:"
                                + " after off, status exits with 0 (2 is off, 0 on)");
    }

    @Test
    void aLevelThatHangsIsKilledAndLeavesTimeForTheNext() throws Exception {
        levels("a b", "off = sleep 60", "status = exit 2", "off = exit 0", "status = exit 2");
        long begun = timeline.nanos();

        assertThat(asked(Duration.ofSeconds(4))).isEqualTo(HolderProof.Kind.OFF);

        assertThat(calls()).containsExactly("a off", "b off", "b status");
        assertThat(timeline.nanos() - begun).isGreaterThan(1_800_000_000L);
    }

    @Test
    void eachLevelNeedsASecond() throws Exception {
        levels("a b", "off = exit 0", "status = exit 2", "off = exit 0", "status = exit 2");

        assertThatThrownBy(() -> asked(Duration.ofMillis(1_999)))
                .hasMessage("fence device a, then b of node n1 has 1999 ms, and needs at least 2000");
        assertThat(calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            n1 = a   | the order of node n1 does not name [b]
            n1 = a a | the order of node n1 names a, which is there twice, or is no fence device that turns it off: those are [a, b]
            n1 = a b c | the order of node n1 names c, which is there twice, or is no fence device
            n1 =     | the order of node n1 does not name [a, b]
            n2 = a   | the order of node n2 names a, which is there twice, or is no fence device that turns it off: those are []
            ''       | node n1 is turned off by the fence devices a and b: name it in one of them, or give their order in [fencing_topology]
            """)
    void anOrderNamesEachDeviceOfItsNodeOnce(String line, String why) throws Exception {
        Path file = file(line, "off = exit 0", "status = exit 2", "off = exit 0", "status = exit 2");

        assertThatThrownBy(() -> StonithFile.levels(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file + " " + why);
    }

    /** As in a file that was written before there was an order. */
    @Test
    void aDeviceMayBeCalledAsTheOrderIs() throws Exception {
        Path file = Files.writeString(
                folder.resolve("old.conf"), "[fencing_topology]\noff = exit 0\nstatus = exit 2\npcmk_host_list = n1\n");

        assertThat(StonithFile.levels(file).devices())
                .extracting(FenceDevice::name)
                .containsExactly("fencing_topology");
        assertThat(StonithFile.levels(file).most()).isEqualTo(1);
    }

    private FenceLevels levels(String order, String... lines) throws Exception {
        return StonithFile.levels(file("n1 = " + order, lines));
    }

    /** Devices a and b, which note what they are asked. */
    private Path file(String order, String... lines) throws Exception {
        return Files.writeString(
                folder.resolve("stonith.conf"),
                "[fencing_topology]\n" + order + "\n" + device("a", lines[0], lines[1])
                        + device("b", lines[2], lines[3]));
    }

    private String device(String name, String off, String status) {
        String notes = " = echo " + name + " $INCUMBENT_HOLDER_ACTION >> " + folder.resolve("calls") + "; ";
        return "[" + name + "]\npcmk_host_list = n1\n" + off.replace(" = ", notes) + "\n" + status.replace(" = ", notes)
                + "\n";
    }

    private List<String> calls() throws Exception {
        Path calls = folder.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private HolderProof.Kind asked(Duration bound) throws Exception {
        ProgramFenceAgent agent = new ProgramFenceAgent(
                LocalNode.named("me"), StonithFile.levels(folder.resolve("stonith.conf")), timeline);
        try {
            return agent.turnOff(FenceScript.elsewhere(), FenceScript.window(bound, true))
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }
}
