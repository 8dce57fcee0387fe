package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.clock.DriftBound;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.coordinator.Capabilities;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LeaseFlagsTest {
    @Test
    void theShortestLeaseIsTakenAndOneMillisecondLessIsNot() {
        Duration shortest = flags(Duration.ofMillis(1), Optional.empty())
                .shortest(Optional.empty())
                .orElseThrow();

        assertThat(timing(shortest)).isEqualTo(shortest);
        assertThatThrownBy(() -> timing(shortest.minusMillis(1)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(
                        "takes with these flags is " + shortest.toMillis() / 1000.0 + "s; unsafe timing: ");
    }

    @Test
    void aCoordinatorsFloorAndGrainAreHeeded() {
        LeaseFlags flags = flags(Duration.ofMillis(1), Optional.empty());

        assertThat(flags.shortest(Optional.of(can(Duration.ofSeconds(4), Duration.ofMillis(1)))))
                .hasValue(Duration.ofSeconds(4));
        assertThat(flags.shortest(Optional.of(can(Duration.ofSeconds(1), Duration.ofSeconds(1)))))
                .hasValue(Duration.ofSeconds(3));
    }

    @Test
    void aLongerStopBudgetAsksForALongerLease() {
        LeaseFlags standard = flags(Duration.ofMillis(1), Optional.empty());
        LeaseFlags longer = flags(Duration.ofMillis(1), Optional.of(Duration.ofSeconds(4)));

        assertThat(longer.shortest(Optional.empty()).orElseThrow())
                .isGreaterThan(standard.shortest(Optional.empty()).orElseThrow());
        assertThat(flags(Duration.ofSeconds(3), Optional.of(Duration.ofDays(2))).shortest(Optional.empty()))
                .isEmpty();
    }

    @Test
    void theKillReserveOfTheFlagIsTheTimings() {
        LeaseFlags flags = new LeaseFlags(
                Duration.ofSeconds(15),
                Optional.empty(),
                Duration.ofMillis(700),
                DriftBound.STANDARD,
                Optional.empty());

        assertThat(flags.timing(Optional::empty, told -> {}).killReserve()).isEqualTo(Duration.ofMillis(700));
    }

    private static Duration timing(Duration lease) {
        return flags(lease, Optional.empty())
                .timing(Optional::empty, told -> {})
                .lease();
    }

    private static LeaseFlags flags(Duration lease, Optional<Duration> stopBudget) {
        return new LeaseFlags(lease, stopBudget, Duration.ofMillis(150), DriftBound.STANDARD, Optional.empty());
    }

    private static Capabilities can(Duration floor, Duration grain) {
        return new Capabilities(
                floor,
                grain,
                Duration.ZERO,
                true,
                true,
                Capabilities.ExpiryClock.SERVER_MONOTONIC,
                Capabilities.Consistency.LINEARIZABLE);
    }
}
