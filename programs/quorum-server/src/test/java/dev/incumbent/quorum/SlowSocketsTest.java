package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.Timing;
import dev.incumbent.quorum.SlowSockets.Kind;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(6));
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final int CANDIDATES = 5;
    private static final Map<Kind, Integer> A_THOUSAND =
            Map.of(Kind.HEADERS, 240, Kind.BODY, 240, Kind.SILENT, 240, Kind.HANDSHAKE, 240, Kind.READER, 40);

    private final QuorumCluster cluster = Quorums.calm();
    private final SystemTimeline time = new SystemTimeline();
    private final String office = "slow/" + UUID.randomUUID();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private volatile boolean over;

    @BeforeEach
    void fiveCandidatesStand() {
        for (int i = 1; i <= CANDIDATES; i++) {
            Coordinator coordinator =
                    new QuorumCoordinatorProvider().open(cluster.uri(), time, TIMING.requestTimeout(), Mode.CREATE);
            Elections elections = Elections.over(coordinator)
                    .name("c" + i)
                    .timing(TIMING)
                    .timeline(time)
                    .open();
            Candidacy candidacy = elections.election(office).campaign(this::leadAndHandOver);
            candidacies.add(candidacy);
            open.addAll(List.of(candidacy, elections, coordinator));
        }
        Waiting.until("a first term that was handed over", () -> handedOver.get() > 0);
        lost.clear();
    }

    @AfterEach
    void end() throws Exception {
        over = true;
        for (AutoCloseable one : open) {
            one.close();
        }
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
        int before = handedOver.get();
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
                .as("status within a second, of " + asked + " questions")
                .isEmpty();
        assertThat(lost).as("terms that were lost").isEmpty();
        assertThat(handedOver.get() - before).as("terms that were handed over").isGreaterThanOrEqualTo((int)
                HELD.dividedBy(TERM.multipliedBy(3)));
    }

    private List<Integer> clientPorts() {
        return cluster.nodes().stream().map(QuorumCluster.Node::port).toList();
    }

    /** Leads for a while, and resigns. */
    private void leadAndHandOver(Leadership leadership) {
        try {
            if (!new CountDownLatch(1).await(TERM.toNanos(), TimeUnit.NANOSECONDS) && leadership.holds()) {
                handedOver.incrementAndGet();
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (!over) {
            lost.add(leadership.toString());
        }
    }
}
