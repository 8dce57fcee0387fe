package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class KilledTest {
    @Test
    void aKilledWrapperLeavesNothingRunning() throws Exception {
        try (var run = WrapperProcess.start(List.of(), AwkwardTree.stubbornCommand())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            run.wrapper().kill();

            run.awaitNothingLeft();
        }
    }

    @Test
    void aKilledSupervisorLeavesNothingRunningAndGives70() throws Exception {
        try (var run = WrapperProcess.start(List.of(), AwkwardTree.stubbornCommand())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            run.supervisor().kill();

            run.awaitNothingLeft();
            assertThat(run.exitCode()).isEqualTo(70);
        }
    }

    @Test
    void theCommandItselfDiesWithBothAtOnce() throws Exception {
        try (var run = WrapperProcess.start(List.of(), "sleep", "1000")) {
            run.awaitStarted("sleep", 1);
            ProcessEntry supervisor = run.supervisor();

            new ProcessBuilder("kill", "-KILL", "" + run.wrapper().pid(), "" + supervisor.pid())
                    .start()
                    .waitFor();

            run.awaitNothingLeft();
        }
    }

    @Test
    void aForkStormDoesNotOutliveItsWrapper() throws Exception {
        try (var run = WrapperProcess.start(List.of(), forkStorm())) {
            Await.until("a storm", () -> run.startedAs("sleep").size() > 30);

            run.wrapper().kill();

            run.awaitNothingLeft();
        }
    }

    @Test
    void aForkStormDoesNotOutliveItsSupervisor() throws Exception {
        try (var run = WrapperProcess.start(List.of(), forkStorm())) {
            Await.until("a storm", () -> run.startedAs("sleep").size() > 30);

            run.supervisor().kill();

            run.awaitNothingLeft();
            assertThat(run.exitCode()).isEqualTo(70);
        }
    }

    @Test
    void aKilledWrapperOfACommandThatAlsoRunsAWrapperLeavesNothingRunning() throws Exception {
        List<String> inner = WrapperProcess.line(List.of(), AwkwardTree.command());
        try (var run = WrapperProcess.start(List.of(), inner.toArray(String[]::new))) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            run.wrapper().kill();

            run.awaitNothingLeft();
        }
    }

    private static String[] forkStorm() {
        String once = "setsid sh -c 'sleep 1001 & sleep 1002 & exec sleep 1003' &";
        return new String[] {"sh", "-c", "while :; do " + once + " sleep 0.01; done"};
    }
}
