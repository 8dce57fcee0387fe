package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.Waiting;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody moves the nodes' leadership to a member that is gone, and then to one that lives, while a program leads on a short lease. */
@Tag("field")
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(Quorums.TROUBLED)
final class TransferToTheDeadTest {
    private static final int REQUESTS = 3;

    /** The nodes ask for an entry and then for its application, each for two election timeouts; and as long again for a crowded machine. */
    private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(8);

    @ParameterizedTest
    @CsvSource({"3, killed", "3, frozen", "6, killed", "6, frozen"})
    void itIsRefusedThenItSucceedsAndNoTermEnds(int lease, String fate) {
        QuorumCluster cluster = Quorums.troubled();
        Node leader = cluster.leader();
        List<Node> others =
                cluster.nodes().stream().filter(node -> node != leader).toList();
        Node gone = others.get(0);
        Node next = others.get(1);
        try (HeldTerm term = new HeldTerm("quorum://" + leader.hostPort(), Duration.ofSeconds(lease))) {
            if (fate.equals("killed")) {
                gone.process().kill();
            } else {
                gone.process().freeze();
            }

            term.outlives(() -> {
                for (int i = 0; i < REQUESTS; i++) {
                    assertRefused(leader, gone);
                }
            });
            assertThat(cluster.leader()).isSameAs(leader);
            term.outlives(() -> Waiting.until("the leadership of " + next.name(), () -> isMoved(leader, next)));

            assertThat(cluster.leader()).isSameAs(next);
        } finally {
            gone.process().thaw();
            cluster.startAll();
        }
    }

    private static void assertRefused(Node leader, Node gone) {
        long asked = System.nanoTime();
        HttpResponse<String> answer = transfer(leader, gone);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(LONGEST_REFUSAL);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).startsWith("member " + gone.name() + " ");
    }

    /** Asked again, as a person would, where it did not come about. */
    private static boolean isMoved(Node leader, Node next) {
        HttpResponse<String> answer = transfer(leader, next);
        return answer.statusCode() == 200 || answer.body().contains("does not lead");
    }

    private static HttpResponse<String> transfer(Node leader, Node to) {
        return Calling.post(leader.port(), "/v1/transfer/" + to.name(), "", Optional.empty());
    }
}
