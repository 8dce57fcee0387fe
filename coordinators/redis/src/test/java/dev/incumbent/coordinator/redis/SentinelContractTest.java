package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** One server that a sentinel names holds the contract. */
@Tag("release")
final class SentinelContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new SentinelRig(pace.requestTimeout(Duration.ofSeconds(2)));
    }
}
