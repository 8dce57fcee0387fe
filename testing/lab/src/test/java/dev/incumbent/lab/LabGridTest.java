package dev.incumbent.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a grid contains, and what it refuses. */
class LabGridTest {
    @Test
    void aProtocolWithoutALeaseRunsWithTheFirstLengthAlone() {
        LabGrid grid = new LabGrid(
                List.of(LabProtocol.BULLY, LabProtocol.LEASE),
                List.of(LabScenario.CALM),
                List.of(3),
                List.of(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                1,
                1);

        assertThat(grid.places())
                .extracting(
                        place -> place.protocol().label() + " " + place.lease().toSeconds())
                .containsExactly("bully 5", "lease 5", "lease 10");
    }

    @Test
    void aGroupOfOneIsRefusedAndSoIsALeaseOfNoTime() {
        assertThatThrownBy(() -> grid(1, Duration.ofSeconds(15))).hasMessage("a group has 2 to 99 members, not 1");
        assertThatThrownBy(() -> grid(3, Duration.ZERO)).hasMessage("a lease is 1 s to 10 min long here, not PT0S");
    }

    private static LabGrid grid(int size, Duration lease) {
        return new LabGrid(List.of(LabProtocol.BULLY), List.of(LabScenario.CALM), List.of(size), List.of(lease), 1, 1);
    }
}
