package dev.incumbent.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.lab.world.FaultKind;
import dev.incumbent.lab.world.FaultTarget;
import dev.incumbent.lab.world.LabFault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user's scenario says, and what is said of one that is wrong. */
class LabScriptTest {
    @Test
    void aScriptHasItsSettingsAndItsFaults() {
        LabScript script = LabScript.parse(
                "mine",
                List.of(
                        "# of mine",
                        "title two faults",
                        "members 3",
                        "lease 2s   # short",
                        "length 1m",
                        "seeds 4",
                        "protocols raft, lease",
                        "work 10ms every 100ms",
                        "",
                        "at 1.5s clock-rate m02 0.5 for 10s",
                        "at 20s delay 500ms for 5s",
                        "at 30s store-forgets"));

        assertThat(script.what()).isEqualTo("two faults");
        assertThat(script.members()).isEqualTo(3);
        assertThat(script.lease()).isEqualTo(Duration.ofSeconds(2));
        assertThat(script.measured(script.lease())).isEqualTo(Duration.ofMinutes(1));
        assertThat(script.protocols()).containsExactly(LabProtocol.RAFT, LabProtocol.LEASE);
        assertThat(script.pace().pause()).isEqualTo(Duration.ofMillis(90));
        assertThat(script.faults())
                .containsExactly(
                        new LabFault(
                                Duration.ofMillis(1_500),
                                FaultKind.CLOCK_RATE,
                                new FaultTarget.One(2),
                                Duration.ofSeconds(10),
                                0.5),
                        new LabFault(
                                Duration.ofSeconds(20),
                                FaultKind.DELAY,
                                FaultTarget.Role.ALL,
                                Duration.ofSeconds(5),
                                500),
                        new LabFault(
                                Duration.ofSeconds(30), FaultKind.STORE_FORGETS, FaultTarget.Role.ALL, Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "at 10s explode leader | line 2: there is no fault 'explode'; there are crash, restart, pause, ",
                "at ten crash leader for 1s | line 2: 'ten' is no time; times are written 500ms, 1.5s or 2m",
                "at 1s crash leader | line 2: this fault is written as: at 1s crash leader for 40s",
                "at 1s crash boss for 1s | line 2: 'boss' is nobody; a fault strikes leader, ",
                "at 1s crash m03 for 1s | there is no m03: the last of 3 members is m02",
                "at 200s crash leader for 1s | a fault happens at 200.0 s, and the run is only 100.0 s long",
                "at 1s clock-rate m01 0 for 1s | line 2: 0 is too little or too much; such as: at 10s clock-rate leader",
                "at 1s loss 120 for 1s | line 2: loss is a whole number from 1 to 100, not '120'",
                "at 1s loss 0.5 for 1s | line 2: loss is a whole number from 1 to 100, not '0.5'",
                "at 1s loss -5 for 1s | line 2: loss is a whole number from 1 to 100, not '-5'",
                "length 500ms | line 2: a run lasts at least 1s, not 500ms",
                "members 0 | line 2: members is a whole number from 1 to 99, not '0'",
                "members 1 | members 1: a group has 2 to 99",
                "protocols paxos | line 2: there is no protocol 'paxos'",
                "work 2s every 1s | line 2: work of 2s does not fit into 1s",
                "length 2000m | line 2: 2000m is too long",
                "when 1s | line 2: 'when' begins no line",
            })
    void whatIsWrongIsSaidInOneSentence(String line, String sentence) {
        assertThatThrownBy(() -> LabScript.parse("mine", List.of("members 3", line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void theFaultsHappenAsTheyAreWritten() {
        LabScript script =
                LabScript.parse("mine", List.of("members 3", "length 60s", "at 5s partition minority for 40s"));
        LabGrid grid = new LabGrid(
                List.of(LabProtocol.BULLY, LabProtocol.RAFT),
                List.of(script),
                List.of(3),
                List.of(script.lease()),
                2,
                1);

        List<LabCell> cells = Lab.run(grid, 1, done -> {});

        assertThat(cells.get(0).several()).isBetween(35.0, 40.0);
        assertThat(cells.get(1).several()).isZero();
        assertThat(cells.get(1).measuredSeconds()).isEqualTo(60);
    }
}
