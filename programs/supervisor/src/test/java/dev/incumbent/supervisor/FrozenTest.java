package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
final class FrozenTest {
    private static final List<String> SHORT_LEASE = List.of("-Dlease=2000", "-Dbudget=500");
    /** The lease, during which a frozen wrapper's command may live on. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    @Test
    void theCommandOfAFrozenWrapperIsGoneBeforeItWakesAndTheWrapperGives79() throws Exception {
        try (var run = WrapperProcess.start(SHORT_LEASE, AwkwardTree.stubbornCommand())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            run.signal("STOP");
            run.awaitNothingLeftWithin(LEASE);
            run.signal("CONT");

            assertThat(run.exitCodeWithin(LEASE)).isEqualTo(79);
        }
    }

    @Test
    void theWrapperEndsTheCommandOfAFrozenSupervisorAndGives79() throws Exception {
        try (var run = WrapperProcess.start(SHORT_LEASE, AwkwardTree.stubbornCommand())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            WrapperProcess.signal(run.supervisor(), "STOP");

            run.awaitNothingLeftWithin(LEASE.plusMillis(500));
            assertThat(run.exitCodeWithin(LEASE)).isEqualTo(79);
        }
    }

    @Test
    void aSupervisorThatWakesBeforeItsDeadlineGoesOn() throws Exception {
        try (var run = WrapperProcess.start(List.of(), "sh", "-c", "sleep 1; exit 5")) {
            run.awaitStarted("sleep", 1);
            ProcessEntry supervisor = run.supervisor();

            WrapperProcess.signal(supervisor, "STOP");
            WrapperProcess.signal(supervisor, "CONT");

            assertThat(run.exitCode()).isEqualTo(5);
        }
    }

    @Test
    void aSupervisorKilledUnderAFrozenWrapperTakesTheCommandAlong() throws Exception {
        try (var run = WrapperProcess.start(SHORT_LEASE, AwkwardTree.stubbornCommand())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);
            ProcessEntry supervisor = run.supervisor();

            run.signal("STOP");
            supervisor.kill();
            Await.within(
                    LEASE, "the command's end", () -> run.startedAs("sleep").size() < AwkwardTree.SIZE);
            run.signal("CONT");

            run.awaitNothingLeftWithin(LEASE);
            assertThat(run.exitCodeWithin(LEASE)).isIn(70, 79);
        }
    }
}
