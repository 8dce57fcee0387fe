package dev.incumbent.quorum;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.servers.QuorumCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Three nodes hold the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QuorumContractTest extends CoordinatorContract {
    private QuorumCluster cluster;

    @BeforeAll
    void start() {
        // Patient, so that a crowded machine changes the leader of none but the tests that want it.
        cluster = QuorumCluster.start(3, ServerMain.command(), "--election-timeout", "1s");
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Override
    protected CoordinatorRig openRig() {
        return new QuorumRig(cluster);
    }
}
