package dev.incumbent.stonith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real programs turn a node off, fail to, hang, and leave processes behind. */
class ProgramFenceAgentTest {
    private static final String SECRET = "hunter2-very-secret";

    private final SystemTimeline timeline = new SystemTimeline();
    private final LocalNode here = LocalNode.named("me");

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        timeline.close();
    }

    /** A device whose switch is a file: off removes it, and status looks for it. */
    @Test
    void aNodeIsOffOnceOffHasSucceededAndStatusSaysSo() throws Exception {
        Path power = Files.createFile(folder.resolve("power"));
        Path agent = FenceScript.in(folder, """
                cat > %1$s/in.$$
                action=$(sed -n 's/^action=//p' %1$s/in.$$)
                mv %1$s/in.$$ %1$s/in.$action
                tr '\\0' '\\n' < /proc/$$/cmdline > %1$s/argv.$action
                case $action in
                off) rm %1$s/power ;;
                status) [ -e %1$s/power ] && exit 0; exit 2 ;;
                esac
                """.formatted(folder));

        assertThat(asked(agent, FenceScript.elsewhere(), FenceScript.BOUND)).isEqualTo(HolderProof.Kind.OFF);

        assertThat(power).doesNotExist();
        assertThat(Files.readAllLines(folder.resolve("in.off")))
                .containsExactly("ip=10.0.0.11", "password=" + SECRET, "port=3", "nodename=n1", "action=off");
        assertThat(Files.readAllLines(folder.resolve("in.status"))).contains("action=status", "port=3");
        assertThat(Files.readString(folder.resolve("argv.off"))).doesNotContain(SECRET, "10.0.0.11");
    }

    @Test
    void commandsOfTheShellAreToldTheHolderByTheirEnvironment() throws Exception {
        String off = "env > " + folder + "/off.env; cat > " + folder + "/off.in";
        FenceDevice device = device(new FenceDevice.Commands(off, "exit 2"));

        assertThat(asked(device, FenceScript.elsewhere(), FenceScript.window(FenceScript.BOUND, true)))
                .isEqualTo(HolderProof.Kind.OFF);

        assertThat(Files.readAllLines(folder.resolve("off.env")))
                .contains(
                        "INCUMBENT_HOLDER_ACTION=off",
                        "INCUMBENT_HOLDER_NODE=n1",
                        "INCUMBENT_HOLDER_BOOT_ID=boot-of-n1",
                        "INCUMBENT_HOLDER_PROCESS=1:2:3",
                        "INCUMBENT_HOLDER_CANDIDATE=ledger-1@host-4711-9f3c",
                        "INCUMBENT_HOLDER_TERM=7")
                .noneMatch(line -> line.contains(SECRET));
        assertThat(Files.readAllLines(folder.resolve("off.in"))).contains("password=" + SECRET);
    }

    @Test
    void anOffThatFailsIsToldWithItsLastLineAndWithoutSecrets() throws Exception {
        Path agent =
                FenceScript.in(folder, "echo first; echo \"ERROR: login admin/" + SECRET + " refused\" >&2; exit 1\n");

        assertThatThrownBy(() -> asked(agent, FenceScript.elsewhere(), FenceScript.BOUND))
                .hasMessage("fence device d1 for node n1: off exits with 1: ERROR: login admin/*** refused");
    }

    @Test
    void aNodeThatIsSeenOnAfterOffIsNotOff() throws Exception {
        Path agent = FenceScript.in(folder, "exit 0\n");

        assertThatThrownBy(() -> asked(agent, FenceScript.elsewhere(), FenceScript.BOUND))
                .hasMessage("fence device d1 for node n1: after off, status exits with 0 (2 is off, 0 on)");
    }

    /** The agent, and what it has started, are gone when the failure is told, which is within the bound. */
    @Test
    void anAgentThatHangsIsKilledWithItsWholeGroupInItsTime() throws Exception {
        Path agent = FenceScript.in(
                folder,
                "trap '' TERM\necho $$ > %1$s/pids\nsleep 60 &\necho $! >> %1$s/pids\necho waits\nwait\n"
                        .formatted(folder));
        long begun = timeline.nanos();

        assertThatThrownBy(() -> asked(agent, FenceScript.elsewhere(), Duration.ofMillis(1_500)))
                .hasMessage("fence device d1 for node n1: off has not ended in its time and was killed: waits");

        assertThat(timeline.nanos() - begun).isBetween(1_250_000_000L, 1_500_000_000L + SLACK);
        assertThat(pids()).hasSize(2).noneMatch(ProgramFenceAgentTest::lives);
    }

    /** On a busy machine a thread wakes late. */
    private static final long SLACK = 2_000_000_000L;

    @Test
    void whatAnAgentLeavesBehindIsKilledWhenItEnds() throws Exception {
        Path agent = FenceScript.in(
                folder,
                "grep -q action=status && exit 2\nsleep 60 < /dev/null > /dev/null 2>&1 &\necho $! > %s/pids\nexit 0\n"
                        .formatted(folder));

        assertThat(asked(agent, FenceScript.elsewhere(), FenceScript.BOUND)).isEqualTo(HolderProof.Kind.OFF);

        assertThat(pids()).hasSize(1).noneMatch(ProgramFenceAgentTest::lives);
    }

    @Test
    void nothingBeginsWhereTheWindowIsClosed() throws Exception {
        Path agent = FenceScript.in(folder, "touch " + folder + "/begun\n");

        assertThatThrownBy(() -> asked(
                        device(new FenceDevice.Agent(agent.toString())),
                        FenceScript.elsewhere(),
                        FenceScript.window(FenceScript.BOUND, false)))
                .hasMessageContaining("the guard does not hold any more for the 10000 ms")
                .hasMessageContaining("nothing was begun");

        assertThat(folder.resolve("begun")).doesNotExist();
    }

    /** This process stood still after it had looked at the window: the program's own look at the clock is what counts. */
    @Test
    void aProgramThatComesTooLateBeginsNothing() throws Exception {
        Path agent = FenceScript.in(folder, "touch " + folder + "/begun\n");
        long past = timeline.bootNanos().orElseThrow() - 1_000_000_000L;

        FenceDevice device = device(new FenceDevice.Agent(agent.toString()));
        Process late = new ActionRun(device, "off", FenceScript.elsewhere(), timeline)
                .builder(past)
                .start();
        late.getOutputStream().close();

        assertThat(late.waitFor()).isEqualTo(124);
        assertThat(folder.resolve("begun")).doesNotExist();
    }

    @Test
    void aNodeWithoutADeviceIsNotTurnedOff() {
        Holder other = FenceScript.holder(new NodeBoot("n9", "b", "p"));

        assertThatThrownBy(() -> asked(
                        device(new FenceDevice.Commands("exit 0", "exit 2")),
                        other,
                        FenceScript.window(FenceScript.BOUND, true)))
                .hasMessage("no fence device turns node n9 off, these nodes have one: [n1]");
    }

    @Test
    void twoDevicesForOneNodeAreRefused() {
        FenceDevice one = device(new FenceDevice.Commands("exit 0", "exit 2"));

        assertThatThrownBy(() -> new ProgramFenceAgent(here, List.of(one, one), timeline))
                .hasMessage(
                        "node n1 is turned off by the fence devices d1 and d1: name it in one of them, or give their order in"
                                + " [fencing_topology]");
    }

    /** Its own machine is never turned off: what runs there is told, and what is gone is proved gone. */
    @Test
    void onItsOwnMachineAbsenceIsTheProof() throws Exception {
        FenceDevice device = new FenceDevice(
                "own",
                new FenceDevice.Commands("touch " + folder + "/begun", "exit 2"),
                Map.of(),
                Map.of("me", ""),
                "port");
        NodeBoot own = here.boot();
        NodeBoot gone = new NodeBoot("me", own.bootId(), own.process().replaceFirst(":[0-9]+:", ":1:"));
        NodeBoot before = new NodeBoot("me", "an-earlier-boot", own.process());
        var window = FenceScript.window(FenceScript.BOUND, true);

        assertThatThrownBy(() -> asked(device, FenceScript.holder(own), window))
                .hasMessageContaining("still runs on this machine: end it")
                .hasMessageContaining("this process does not turn its own machine off");
        assertThat(asked(device, FenceScript.holder(gone), window)).isEqualTo(HolderProof.Kind.ABSENT);
        assertThat(asked(device, FenceScript.holder(before), window)).isEqualTo(HolderProof.Kind.REBOOTED);
        assertThat(folder.resolve("begun")).doesNotExist();
    }

    @Test
    void aDeviceTellsTheNamesOfItsOptionsAndNoValue() {
        assertThat(device(new FenceDevice.Agent("/usr/sbin/fence_ipmilan")).toString())
                .contains("password", "fence_ipmilan")
                .doesNotContain(SECRET);
    }

    private HolderProof.Kind asked(Path agent, Holder holder, Duration bound) throws Exception {
        return asked(device(new FenceDevice.Agent(agent.toString())), holder, FenceScript.window(bound, true));
    }

    private HolderProof.Kind asked(FenceDevice device, Holder holder, dev.incumbent.FenceAgent.Window window)
            throws Exception {
        try {
            return new ProgramFenceAgent(here, List.of(device), timeline)
                    .turnOff(holder, window)
                    .toCompletableFuture()
                    .get(1, TimeUnit.MINUTES);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    private static FenceDevice device(FenceDevice.Program program) {
        Map<String, String> options = new java.util.LinkedHashMap<>();
        options.put("ip", "10.0.0.11");
        options.put("password", SECRET);
        return new FenceDevice("d1", program, options, Map.of("n1", "3"), "port");
    }

    private List<Long> pids() throws Exception {
        return Files.readAllLines(folder.resolve("pids")).stream()
                .map(Long::parseLong)
                .toList();
    }

    /** One that has ended may wait to be reaped. */
    private static boolean lives(long pid) {
        try {
            return new ProcFiles(Path.of("/proc"))
                    .find(pid)
                    .filter(stat -> !stat.isEmptied())
                    .isPresent();
        } catch (java.io.IOException unread) {
            return true;
        }
    }
}
