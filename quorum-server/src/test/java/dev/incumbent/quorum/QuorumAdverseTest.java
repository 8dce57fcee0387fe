package dev.incumbent.quorum;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.servers.QuorumCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Candidacies over the quorum, while all of it or the way to it is in trouble; one test at a time, so that one quorum serves them all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
final class QuorumAdverseTest extends AdverseContract {
    private static final Duration LEASE = Duration.ofSeconds(4);

    private QuorumCluster cluster;

    @BeforeAll
    void start() {
        cluster = QuorumCluster.start(3, ServerMain.command(), "--election-timeout", ServerMain.PATIENT);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Override
    protected AdverseRig openRig() {
        return new QuorumRig(cluster, LEASE, LEASE.dividedBy(4));
    }
}
