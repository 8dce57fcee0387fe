package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody moves the nodes' leadership to a member that is gone, while a program leads on a short lease. */
@Tag("field")
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(Quorums.TROUBLED)
final class TransferToTheDeadTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(6));
    private static final int REQUESTS = 3;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsRefusedAndNoTermEnds(boolean isKilled) {
        QuorumCluster cluster = Quorums.troubled();
        Node leader = cluster.leader();
        Node gone = cluster.nodes().stream()
                .filter(node -> node != leader)
                .findFirst()
                .orElseThrow();
        try (SystemTimeline time = new SystemTimeline();
                Coordinator client = new QuorumCoordinatorProvider()
                        .open("quorum://" + leader.hostPort(), time, TIMING.requestTimeout(), Mode.CREATE);
                Elections elections =
                        Elections.over(client).name("ada").timing(TIMING).open();
                Candidacy candidacy = elections
                        .election("transfer/" + UUID.randomUUID())
                        .campaign(TransferToTheDeadTest::untilInterrupted)) {
            Waiting.until("a term", () -> candidacy.leadership().isPresent());
            Leadership leadership = candidacy.leadership().orElseThrow();

            if (isKilled) {
                gone.process().kill();
            } else {
                gone.process().freeze();
            }
            for (int i = 0; i < REQUESTS; i++) {
                HttpResponse<String> answer =
                        Calling.post(leader.port(), "/v1/transfer/" + gone.name(), "", Optional.empty());
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).startsWith("member " + gone.name() + " ");
            }

            assertThat(Waiting.within(TIMING.lease(), () -> !leadership.holds()))
                    .as("the term ends")
                    .isFalse();
            assertThat(candidacy.leadership()).contains(leadership);
            assertThat(cluster.leader()).isSameAs(leader);
        } finally {
            gone.process().thaw();
            cluster.startAll();
        }
    }

    private static void untilInterrupted(Leadership leadership) throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
