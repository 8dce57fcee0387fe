package dev.incumbent.quorum;

import static dev.incumbent.quorum.WiredReplicas.applied;
import static dev.incumbent.quorum.WiredReplicas.term;
import static dev.incumbent.quorum.WiredReplicas.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A node that hears nothing for a while asks the others before it stands, and so deposes nobody. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class PreVoteTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(2);

    @Test
    void aNodeCutOffAndBackDeposesNobody() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until(
                    "a leader that all follow",
                    () -> replicas.all().stream().allMatch(one -> !one.leader().isEmpty() && applied(one) > 0));
            Replica leader = replicas.leader().orElseThrow();
            Replica deaf = replicas.follower();
            long term = term(leader);

            replicas.wireTo(deaf).cut(TcpProxy.Fault.SILENT);
            Waiting.until("a node that knows of no leader", () -> deaf.leader().isEmpty());
            long end = timeline.nanos() + ELECTION_TIMEOUT.multipliedBy(2).toNanos();
            while (timeline.nanos() < end) {
                assertThat(write(leader)).startsWith(Words.GRANTED);
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
            assertThat(applied(deaf)).isLessThan(applied(leader));
            replicas.wireTo(deaf).heal();

            Waiting.until("what it missed", () -> applied(deaf) >= applied(leader));
            assertThat(write(leader)).startsWith(Words.GRANTED);
            assertThat(term(leader)).isEqualTo(term);
            assertThat(term(deaf)).isEqualTo(term);
            assertThat(leader.isLeading()).isTrue();
        }
    }
}
