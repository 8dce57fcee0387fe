package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real commands: that succeed, fail, hang, say much, and leave somebody behind. */
@Timeout(300)
class CommandCheckTest {
    @TempDir
    private Path folder;

    @Test
    void whatExitsWith0IsWell() throws Exception {
        assertThat(sh("echo fine").ask(0)).isEqualTo(Answer.well("exits with 0"));
    }

    @Test
    void whatFailsSaysWhyByTheLastLineItWrote() throws Exception {
        assertThat(sh("echo first; echo 'no replica' >&2; echo; exit 3").ask(0))
                .isEqualTo(Answer.sick("exits with 3: no replica"));
        assertThat(sh("exit 3").ask(0)).isEqualTo(Answer.sick("exits with 3"));
    }

    @Test
    void whatSaysMuchIsReadToItsEndAndItsTailIsKept() throws Exception {
        Answer answer = sh("i=0; while [ $i -lt 40000 ]; do echo line $i; i=$((i+1)); done; exit 1")
                .ask(0);

        assertThat(answer).isEqualTo(Answer.sick("exits with 1: line 39999"));
    }

    @Test
    void ofALineThatIsTooLongTheEndIsKept() throws Exception {
        String line = IntStream.range(0, 2_000).mapToObj(i -> i + " ").collect(Collectors.joining());

        Answer answer = sh("i=0; while [ $i -lt 2000 ]; do printf '%s ' $i; i=$((i+1)); done; exit 1")
                .ask(0);

        assertThat(answer).isEqualTo(Answer.sick("exits with 1: " + line.substring(line.length() - 1_024)));
    }

    @Test
    void whatReadsItsInputFindsNone() throws Exception {
        assertThat(sh("read line && exit 4; exit 5").ask(0)).isEqualTo(Answer.sick("exits with 5"));
    }

    /** The child outlives its parent by far, and holds its output open. */
    @Test
    void itDoesNotWaitForWhomTheCommandLeavesBehind() throws Exception {
        Path pid = folder.resolve("pid");
        try {
            assertThat(sh("sleep 600 & echo $! > " + pid + "; exit 6").ask(0)).isEqualTo(Answer.sick("exits with 6"));
        } finally {
            processes(pid).forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** The command goes on once its child has ended, the child has a child of its own, and nobody heeds a polite signal. */
    @Test
    void whenItsTimeIsUpItIsKilledWithAllThatItStarted() throws Exception {
        Path pids = folder.resolve("pids");
        LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
        HealthListener listener = new HealthListener() {
            @Override
            public void onSick(String why) {
                told.add(why);
            }
        };
        VirtualTimeline time = new VirtualTimeline();
        try (HealthMonitor monitor = HealthMonitor.asking(sh("trap '' TERM; (sleep 600 & echo $$ $! > " + pids
                        + ".part; mv " + pids + ".part " + pids + "; wait) & wait; exec sleep 600"))
                .listener(listener)
                .quiet()
                .timeline(time)
                .start()) {
            await("the child's child", () -> Files.exists(pids));
            List<ProcessHandle> started = processes(pids);
            assertThat(started).hasSize(2).allMatch(ProcessHandle::isAlive);
            assertThat(monitor.isWell()).isFalse();

            time.advance(Duration.ofSeconds(2));

            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("command sh did not answer within 2 s");
            await("the end of both", () -> started.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void aProgramThatIsNotThereIsSick() throws Exception {
        Answer answer = CommandCheck.of(folder.resolve("absent").toString()).ask(0);

        assertThat(answer.isWell()).isFalse();
        assertThat(answer.why()).startsWith("cannot be started: ").contains("No such file");
    }

    @Test
    void itsNameIsTheProgramWithoutItsArguments() {
        assertThat(CommandCheck.of("/usr/bin/check", "--password", "secret").name())
                .isEqualTo("command check");
    }

    private static CommandCheck sh(String script) {
        return CommandCheck.of("sh", "-c", script);
    }

    private static List<ProcessHandle> processes(Path pids) throws IOException {
        return Stream.of(Files.readString(pids).strip().split(" "))
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
    }

    private static void await(String what, BooleanSupplier come) {
        for (int i = 0; i < 6_000; i++) {
            if (come.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new AssertionError("not within a minute: " + what);
    }
}
