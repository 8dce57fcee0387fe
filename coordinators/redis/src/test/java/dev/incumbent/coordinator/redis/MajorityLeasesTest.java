package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a lease lives at each master, and how long its holder may count on it. */
class MajorityLeasesTest {
    @ParameterizedTest
    @ValueSource(longs = {300, 301, 998, 1_000, 4_001, 15_000, 86_400_000})
    void aLeaseLivesAtEachMasterByRedlocksAllowanceLonger(long asked) {
        long atMasters = MajorityLeases.millisAtMasters(Duration.ofMillis(asked));

        double published = (asked + 2) / 0.99;
        assertThat((double) atMasters).isBetween(published, published + 1);
        assertThat(MajorityLeases.lessDrift(atMasters + 1).toMillis()).isBetween(asked, asked + 2);
    }
}
