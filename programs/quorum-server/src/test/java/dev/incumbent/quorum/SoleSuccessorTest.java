package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A leader that lost its majority while the only other node left had missed entries: nobody but itself can be elected. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class SoleSuccessorTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(500);
    private static final Duration SOON = Duration.ofSeconds(6);

    @Test
    void itLeadsAgainAsSoonAsTheOtherIsBack() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();
            Replica behind = replicas.follower();
            replicas.wireTo(behind).cut(TcpProxy.Fault.REFUSED);
            for (int i = 0; i < 3; i++) {
                assertThat(WiredReplicas.write(leader)).startsWith(Words.GRANTED);
            }
            Replica other = replicas.all().stream()
                    .filter(one -> one != leader && one != behind)
                    .findFirst()
                    .orElseThrow();
            replicas.stop(other);
            Waiting.until("a leader without a majority that steps down", () -> !leader.isLeading());

            replicas.wireTo(behind).heal();
            long healed = timeline.nanos();
            Waiting.until("a leader again", leader::isLeading);

            assertThat(Duration.ofNanos(timeline.nanos() - healed)).isLessThan(SOON);
            assertThat(WiredReplicas.write(leader)).startsWith(Words.GRANTED);
        }
    }
}
