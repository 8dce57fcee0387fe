package dev.incumbent.agent.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.Conflict.Evidence;
import dev.incumbent.telling.conflict.ConflictKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a command for alarms is told, and how long and how often it runs. The commands are real. */
@Timeout(60)
class AlarmCommandTest {
    private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

    @TempDir
    Path folder;

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    @Test
    void itReadsTheAlarmOnItsInputAndInItsEnvironment() {
        Path out = folder.resolve("out");
        try (AlarmCommand command =
                command("{ env | grep ^INCUMBENT_ | sort; cat; } > " + out + ".new; mv " + out + ".new " + out)) {
            command.onAlarm(alarm(true));
            await(out);
        }

        assertThat(lines(out))
                .containsExactly(
                        "INCUMBENT_ALARM_ELECTION=job",
                        "INCUMBENT_ALARM_KIND=mark-above-record",
                        "INCUMBENT_ALARM_SENTENCE=" + alarm(true).conflict().sentence(),
                        "INCUMBENT_ALARM_SINCE=2026-11-28T12:00:00Z",
                        "INCUMBENT_ALARM_STATE=raised",
                        alarm(true).json().toString());
        assertThat(said).isEmpty();
        assertThat(AlarmCommand.variables(alarm(false))).containsEntry("INCUMBENT_ALARM_STATE", "over");
    }

    @Test
    void oneThatFailsIsTold() throws InterruptedException {
        try (AlarmCommand command = command("exit 3")) {
            command.onAlarm(alarm(true));
            assertThat(said.poll(30, TimeUnit.SECONDS))
                    .isEqualTo("--on-alarm ended with 3 for mark-above-record of job");
        }
    }

    @Test
    void oneThatLastsTooLongIsKilledWithWhatItStarted() throws Exception {
        Path pid = folder.resolve("pid");
        try (AlarmCommand command =
                new AlarmCommand("sleep 600 & echo $! > " + pid + "; wait", Duration.ofSeconds(2), said::add)) {
            command.onAlarm(alarm(true));
            assertThat(said.poll(30, TimeUnit.SECONDS))
                    .isEqualTo("--on-alarm ran for 2000 ms for mark-above-record of job, and was killed");
        }
        ProcessHandle.of(Long.parseLong(lines(pid).get(0)))
                .ifPresent(handle ->
                        handle.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }

    @Test
    void oneRunsAtATimeAndWhatComesAboveTheBoundIsDroppedAndTold() {
        Path gate = folder.resolve("gate");
        Path ran = folder.resolve("ran");
        try (AlarmCommand command =
                command("echo x >> " + ran + "; while [ ! -e " + gate + " ]; do sleep 0.05; done")) {
            for (int i = 0; i < AlarmCommand.MOST_WAITING + 6; i++) {
                command.onAlarm(alarm(true));
            }
            await(ran);
            assertThat(lines(ran)).hasSize(1);
            assertThat(said)
                    .hasSize(5)
                    .containsOnly("--on-alarm does not run for mark-above-record of job: 100 alarms wait for it");
        }
    }

    @Test
    void oneThatCannotRunIsToldAndNeitherIsWhatComesAfterTheEnd() throws InterruptedException {
        AlarmCommand command = command("exit 3\0");
        try (command) {
            command.onAlarm(alarm(true));
            assertThat(said.poll(30, TimeUnit.SECONDS)).startsWith("--on-alarm failed for mark-above-record of job: ");
        }
        command.onAlarm(alarm(true));
        assertThat(said.poll(30, TimeUnit.SECONDS))
                .isEqualTo("--on-alarm does not run for mark-above-record of job: the agent ends");
    }

    private AlarmCommand command(String line) {
        return new AlarmCommand(line, said::add);
    }

    private static void await(Path file) {
        while (!Files.exists(file)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ConflictAlarm alarm(boolean isOpen) {
        Conflict conflict = new Conflict(
                ConflictKind.MARK_ABOVE_RECORD,
                new ElectionName("job"),
                "ledger",
                List.of(new Evidence("record", "term 4"), new Evidence("sink ledger", "mark 9")),
                true);
        return new ConflictAlarm(1, conflict, NOON, isOpen ? Optional.empty() : Optional.of(NOON), 1);
    }
}
