package dev.incumbent.coordinator.consul;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Consul holds the contract. Only what restores the store has a server of its own, for a snapshot holds all of it. */
final class ConsulContractTest extends CoordinatorContract {
    private boolean restores;

    @BeforeEach
    void seeWhatIsTested(TestInfo test) {
        restores = test.getTestMethod().orElseThrow().getName().contains("estored");
    }

    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return restores ? ConsulRig.onAServerOfItsOwn() : ConsulRig.onTheSharedServer(pace);
    }
}
