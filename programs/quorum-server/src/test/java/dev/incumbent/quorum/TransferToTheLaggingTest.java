package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.quorum.SeenByOthers.Answer;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody moves the nodes' leadership to a member that answers and is far behind, and then to one that is not, while a program leads on a short lease. */
@Tag("field")
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class TransferToTheLaggingTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);

    /** The nodes ask for an entry and then for its application, each for two election timeouts; and as long again for a crowded machine. */
    private static final Duration LONGEST_REFUSAL = ELECTION_TIMEOUT.multipliedBy(8);

    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void itIsRefusedThenItSucceedsAndNoTermEnds(int lease) throws IOException {
        try (SeenByOthers nodes = SeenByOthers.start(ELECTION_TIMEOUT.toSeconds() + "s")) {
            int leader = nodes.leader();
            int lagging = (leader + 1) % 3;
            int next = (leader + 2) % 3;
            try (HeldTerm term = new HeldTerm(nodes.uri(leader), Duration.ofSeconds(lease))) {
                nodes.replicationTo(lagging).slow(ELECTION_TIMEOUT.multipliedBy(2));

                term.outlives(() -> assertRefused(nodes, leader, lagging));
                assertThat(nodes.leader()).isEqualTo(leader);
                term.outlives(() -> Waiting.until("the leadership of the other", () -> isMoved(nodes, leader, next)));

                assertThat(nodes.leader()).isEqualTo(next);
            }
        }
    }

    private static void assertRefused(SeenByOthers nodes, int leader, int lagging) {
        long asked = System.nanoTime();
        Answer answer = nodes.ask("POST", leader, "/v1/transfer/" + SeenByOthers.name(lagging));
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(LONGEST_REFUSAL);
        assertThat(answer.code()).as(answer.body()).isEqualTo(503);
        assertThat(answer.body())
                .containsPattern(
                        "member " + SeenByOthers.name(lagging) + " (lags: it has told of entry|has not answered for)");
    }

    /** Asked again, as a person would, where it did not come about. */
    private static boolean isMoved(SeenByOthers nodes, int leader, int next) {
        Answer answer = nodes.ask("POST", leader, "/v1/transfer/" + SeenByOthers.name(next));
        return answer.code() == 200 || answer.body().contains("does not lead");
    }
}
