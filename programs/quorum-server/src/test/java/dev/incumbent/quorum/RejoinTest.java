package dev.incumbent.quorum;

import static dev.incumbent.quorum.WiredReplicas.DISK;
import static dev.incumbent.quorum.WiredReplicas.applied;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** An empty disk in the place of a member's last one, in a quorum that nobody writes to meanwhile. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class RejoinTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(15);

    /** A leader that has never heard the last disk sends it all entries, and the empty one listens where it did. */
    @Test
    void anEmptyDiskTakesNothingThatWasSentToTheLastOneAndIsTakenIn() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            int wiped = other(replicas, -1);
            replicas.all().get(wiped).close();
            int next = other(replicas, wiped);
            Waiting.until("the other's leadership", () -> handedOver(replicas, next));
            Replica leader = replicas.all().get(next);

            Replica empty = replicas.startEmpty(wiped, "empty");
            for (long end = timeline.nanos() + ELECTION_TIMEOUT.multipliedBy(2).toNanos(); timeline.nanos() < end; ) {
                assertThat(applied(empty)).isNotPositive();
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }

            assertThat(leader.replace(replicas.reached(wiped, "empty")))
                    .succeedsWithin(SOON)
                    .isEqualTo(Words.DONE);
            Waiting.until("all entries", () -> applied(empty) >= applied(leader));
        }
    }

    /** Ratis alone gives the change up after six election timeouts, which are 0.9 s by default, and begins anew while the first attempt goes on. */
    @Test
    void aChangeWaitsForADiskThatIsSlowToAnswer() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            int wiped = other(replicas, -1);
            replicas.all().get(wiped).close();
            Replica empty = replicas.startEmpty(wiped, "empty");
            replicas.wireTo(empty).cut(TcpProxy.Fault.REFUSED);

            CompletableFuture<String> change =
                    replicas.leader().orElseThrow().replace(replicas.reached(wiped, "empty"));
            LockSupport.parkNanos(ELECTION_TIMEOUT.multipliedBy(8).toNanos());
            assertThat(change).isNotDone();
            replicas.wireTo(empty).heal();

            assertThat(change).succeedsWithin(SOON).isEqualTo(Words.DONE);
        }
    }

    /** A disk that has all entries already acknowledges none but a new one; see decision 0640. */
    @Test
    void whoLeadsWritesAnEntryWhenItIsAskedForAChange() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            int wiped = other(replicas, -1);
            replicas.all().get(wiped).close();
            Replica empty = replicas.startEmpty(wiped, "empty");
            replicas.wireTo(empty).cut(TcpProxy.Fault.REFUSED);
            Replica leader = replicas.leader().orElseThrow();
            assertThat(WiredReplicas.write(leader)).startsWith(Words.GRANTED);
            long before = quiet(leader, timeline);

            CompletableFuture<String> change = leader.replace(replicas.reached(wiped, "empty"));

            Waiting.until("an entry of the leader's", () -> applied(leader) > before);
            assertThat(change).isNotDone();
            replicas.wireTo(empty).heal();
            assertThat(change).succeedsWithin(SOON).isEqualTo(Words.DONE);
        }
    }

    /** Else two changes at once could undo one another. */
    @Test
    void aChangeOfOthersThanThoseWhoVoteIsRefused() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();
            Set<String> before = leader.voters().ids();
            int left = other(replicas, -1);
            List<Replica.Peer> next = IntStream.range(0, 3)
                    .filter(i -> i != left)
                    .mapToObj(i -> replicas.reached(i, DISK))
                    .toList();

            assertThat(leader.change(Set.of("n1.disk", "n2.disk", "n9.disk"), next))
                    .succeedsWithin(SOON)
                    .isNotEqualTo(Words.DONE);
            assertThat(leader.voters().ids()).isEqualTo(before);
        }
    }

    /** The last entry, once none came for an election timeout: Ratis writes some of its own after others. */
    private static long quiet(Replica leader, SystemTimeline timeline) {
        long last = applied(leader);
        for (long since = timeline.nanos(); timeline.nanos() - since < ELECTION_TIMEOUT.toNanos(); ) {
            if (applied(leader) != last) {
                last = applied(leader);
                since = timeline.nanos();
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        return last;
    }

    /** One that neither leads nor is that one. */
    private static int other(WiredReplicas replicas, int than) {
        return IntStream.range(0, replicas.all().size())
                .filter(i -> i != than && !replicas.all().get(i).isLeading())
                .findFirst()
                .orElseThrow();
    }

    private static boolean handedOver(WiredReplicas replicas, int to) {
        replicas.leader()
                .filter(leader -> leader != replicas.all().get(to))
                .ifPresent(leader -> leader.transfer(replicas.reached(to, DISK)).join());
        return replicas.all().get(to).isLeading();
    }
}
