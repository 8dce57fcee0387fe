package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** When the leadership of the nodes moves, and that entries are taken while it cannot. */
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class LeadershipTransferTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);

    /** A call for a lease may take an eighth of it, and two seconds at most. */
    @Test
    void entriesAreRefusedForNoLongerThanACallForTheShortestLeaseMayTake() {
        assertThat(LeadershipTransfer.withinMillis(150, OptionalLong.of(1_000))).isEqualTo(125);
        assertThat(LeadershipTransfer.withinMillis(1_000, OptionalLong.of(15_000)))
                .isEqualTo(1_875);
        assertThat(LeadershipTransfer.withinMillis(150, OptionalLong.of(15_000)))
                .isEqualTo(600);
        assertThat(LeadershipTransfer.withinMillis(1_000, OptionalLong.of(60_000)))
                .isEqualTo(2_000);
        assertThat(LeadershipTransfer.withinMillis(150, OptionalLong.empty())).isEqualTo(600);
    }

    @Test
    @Tag("realtime")
    void itMovesToAMemberThatAnswers() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Replica leader = leader(replicas);
            Replica next = replicas.follower();

            Waiting.until(
                    "the leadership of the other",
                    () -> leader.transfer(peer(replicas, next)).join().equals(Words.DONE) || next.isLeading());

            Waiting.until("its readiness", next::isLeading);
            assertThat(WiredReplicas.write(next)).startsWith(Words.GRANTED);
            assertThat(leader.transfer(peer(replicas, next)).join())
                    .startsWith(Words.LATER)
                    .contains("this node does not lead");
        }
    }

    @Test
    @Tag("realtime")
    void aMemberThatIsSilentIsRefusedAtOnce() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Replica leader = leader(replicas);
            Replica silent = replicas.follower();
            replicas.wireTo(silent).cut(TcpProxy.Fault.SILENT);
            String name = peer(replicas, silent).member().name();
            Waiting.until("its silence", () -> leader.voters().silent().contains(name));

            CompletableFuture<String> answer = leader.transfer(peer(replicas, silent));

            assertThat(answer).isDone();
            assertThat(answer.join()).startsWith(Words.LATER).contains("member " + name + " has not answered for ");
            assertThat(WiredReplicas.write(leader)).startsWith(Words.GRANTED);
        }
    }

    /** It has answered until now. */
    @Test
    @Tag("realtime")
    void entriesAreTakenWhileAMemberThatFellSilentIsWaitedFor() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Replica leader = leader(replicas);
            Replica silent = replicas.follower();

            replicas.wireTo(silent).cut(TcpProxy.Fault.SILENT);
            assertEntriesAreTakenUntilItIsRefused(leader, peer(replicas, silent));
        }
    }

    /** What it answers is old. */
    @Test
    @Tag("realtime")
    void entriesAreTakenWhileAMemberThatLagsIsWaitedFor() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Replica leader = leader(replicas);
            Replica lagging = replicas.follower();

            replicas.wireTo(lagging).slow(ELECTION_TIMEOUT.multipliedBy(2));
            assertEntriesAreTakenUntilItIsRefused(leader, peer(replicas, lagging));
        }
    }

    private static void assertEntriesAreTakenUntilItIsRefused(Replica leader, Replica.Peer next) {
        CompletableFuture<String> answer = leader.transfer(next);
        do {
            assertThat(WiredReplicas.write(leader)).startsWith(Words.GRANTED);
        } while (!answer.isDone());

        assertThat(answer.join())
                .startsWith(Words.LATER)
                .containsPattern(
                        "member " + next.member().name() + " (lags: it has told of entry|has not answered for)");
        assertThat(leader.isLeading()).isTrue();
    }

    /** Ratis leaves its leader so where its request to the successor fails at once. */
    @Test
    @Tag("realtime")
    void aLeaderThatRefusesEntriesForATransferNobodyWaitsForStepsDown() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline);
                RaftClient foreign = RaftClient.newBuilder()
                        .setProperties(new RaftProperties())
                        .setRaftGroup(replicas.group())
                        .build()) {
            Replica leader = leader(replicas);
            Replica silent = replicas.follower();
            replicas.wireTo(silent).cut(TcpProxy.Fault.SILENT);
            Thread asks = new Thread(() -> beginsATransfer(foreign, replicas, leader, silent), "foreign");
            asks.setDaemon(true);
            asks.start();

            Waiting.until(
                    "an entry that is refused",
                    () -> !WiredReplicas.write(leader).startsWith(Words.GRANTED));

            assertThat(Waiting.within(Duration.ofSeconds(30), () -> isWritten(replicas)))
                    .as("entries are taken again")
                    .isTrue();
            asks.interrupt();
        }
    }

    private static void beginsATransfer(RaftClient by, WiredReplicas replicas, Replica leader, Replica next) {
        try {
            by.admin()
                    .transferLeadership(
                            RaftPeerId.valueOf(peer(replicas, next).id()),
                            RaftPeerId.valueOf(peer(replicas, leader).id()),
                            Duration.ofMinutes(5).toMillis());
        } catch (IOException asAnotherLeadsThen) {
            // Its transfer is over.
        }
    }

    private static boolean isWritten(WiredReplicas replicas) {
        return replicas.leader()
                .filter(one -> WiredReplicas.write(one).startsWith(Words.GRANTED))
                .isPresent();
    }

    /** With both others behind it. */
    private static Replica leader(WiredReplicas replicas) {
        Waiting.until("a leader", () -> isWritten(replicas));
        Replica leader = replicas.leader().orElseThrow();
        List<Replica> all = replicas.all();
        Waiting.until(
                "all entries on each",
                () -> all.stream().allMatch(one -> WiredReplicas.applied(one) == WiredReplicas.applied(leader)));
        return leader;
    }

    private static Replica.Peer peer(WiredReplicas replicas, Replica one) {
        return replicas.reached(replicas.all().indexOf(one), WiredReplicas.DISK);
    }
}
