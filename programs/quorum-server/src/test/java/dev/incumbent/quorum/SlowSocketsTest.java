package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.SlowSockets.Kind;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections that a stranger holds open cost nobody a term, nor a node its word on itself. {@code -Dslow.seconds=60} holds them for a minute. */
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
final class SlowSocketsTest {
    private static final Duration HELD = Duration.ofSeconds(Integer.getInteger("slow.seconds", 15));
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Map<Kind, Integer> A_THOUSAND =
            Map.of(Kind.HEADERS, 240, Kind.BODY, 240, Kind.SILENT, 240, Kind.HANDSHAKE, 240, Kind.READER, 40);

    private final QuorumCluster cluster = Quorums.calm();
    private final SystemTimeline time = new SystemTimeline();
    private HandingOver candidates;

    @BeforeEach
    void fiveCandidatesStand() {
        candidates = new HandingOver(cluster.uri(), LEASE);
    }

    @AfterEach
    void end() {
        candidates.close();
        time.close();
    }

    @Test
    void thirtySixSlowConnectionsCostNoTermAndNoAnswer() {
        assertNobodyNotices(SlowSockets.open(clientPorts(), Map.of(Kind.HEADERS, 12)));
    }

    @Test
    void aThousandOfAllKindsOnEachNodeCostNoTermAndNoAnswer() {
        String record = "x".repeat(200_000);
        String call = Line.of(Words.SWAP, "slow/long", "", UUID.randomUUID().toString(), "", record);
        Waiting.until(
                "a long record", () -> Calling.post(cluster.leader(), call).matches("(ACCEPTED|REFUSED)(?s:.*)"));

        assertNobodyNotices(SlowSockets.open(clientPorts(), A_THOUSAND));
    }

    /** Ratis' own port, where members alone have business. */
    @Test
    void aThousandOnTheRaftPortOfEachNodeCostNoTermAndNoAnswer() {
        List<Integer> ports =
                cluster.nodes().stream().map(QuorumCluster.Node::raftPort).toList();

        assertNobodyNotices(SlowSockets.open(ports, Map.of(Kind.SILENT, 500, Kind.HEADERS, 500)));
    }

    private void assertNobodyNotices(SlowSockets strangers) {
        List<String> unanswered = new ArrayList<>();
        int before = candidates.handedOver();
        int asked = 0;
        try (strangers) {
            long end = time.nanos() + HELD.toNanos();
            while (time.nanos() < end) {
                for (QuorumCluster.Node node : cluster.nodes()) {
                    asked++;
                    if (cluster.status(node).isEmpty()) {
                        unanswered.add(node.name() + " at question " + asked);
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
        assertThat(unanswered)
                .as("status not within 1 s, of " + asked + " questions")
                .isEmpty();
        assertThat(candidates.lost()).as("terms that were lost").isEmpty();
        assertThat(candidates.handedOver() - before)
                .as("terms that were handed over")
                .isGreaterThanOrEqualTo((int) HELD.dividedBy(HandingOver.TERM.multipliedBy(3)));
    }

    private List<Integer> clientPorts() {
        return cluster.nodes().stream().map(QuorumCluster.Node::port).toList();
    }
}
