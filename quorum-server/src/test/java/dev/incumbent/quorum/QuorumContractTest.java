package dev.incumbent.quorum;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.servers.QuorumCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Three nodes hold the contract. */
final class QuorumContractTest extends CoordinatorContract {
    private static QuorumCluster cluster;

    @BeforeAll
    static void start() {
        cluster = QuorumCluster.start(3, ServerMain.command(), "--election-timeout", ServerMain.PATIENT);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected CoordinatorRig openRig() {
        return new QuorumRig(cluster, Duration.ofMillis(2_500), Duration.ofMillis(1_500));
    }
}
