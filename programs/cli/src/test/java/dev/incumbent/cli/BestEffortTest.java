package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.time.VirtualTimeline;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the verbs tell of a coordinator that may forget what it acknowledged, as Redis does. */
class BestEffortTest {
    private static final String WARNING =
            "this coordinator may forget what it acknowledged (best effort): only fenced sinks are safe";

    private final Office office = new Office(new VirtualTimeline());

    @TempDir
    Path state;

    @BeforeEach
    void anElection() {
        office.stand("job", "a");
        office.lead("job", "a");
    }

    @Test
    void statusSaysSoInTextAndInJson() {
        assertThat(forgetful("status").out()).contains("job ").doesNotContain("best effort");
        assertThat(forgetful("status").err()).contains(WARNING);
        assertThat(forgetful("status", "-o", "json").out()).contains("\"consistency\":\"BEST_EFFORT\"");
        assertThat(office.run("status").err()).doesNotContain("best effort");
    }

    private CommandRun forgetful(String... line) {
        return office.runOver(BestEffortTest::forgetting, Map.of("XDG_STATE_HOME", state.toString()), line);
    }

    static Coordinator forgetting(Coordinator inner) {
        Capabilities can = inner.capabilities();
        return new ForwardingCoordinator(inner) {
            @Override
            public Capabilities capabilities() {
                return new Capabilities(
                        can.leaseFloor(),
                        can.leaseGranularity(),
                        can.expiryLag(),
                        can.pushesChanges(),
                        can.provesCurrency(),
                        can.expiryJudgedBy(),
                        Capabilities.Consistency.BEST_EFFORT);
            }
        };
    }
}
