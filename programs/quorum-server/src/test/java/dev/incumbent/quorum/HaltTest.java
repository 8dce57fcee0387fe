package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A node that meets what its build does not understand. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class HaltTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);
    private static final int OLDER = Entry.SUPPORTED - 1;
    private static final String RISE = Line.of(Entry.LEVEL, Integer.toString(Entry.SUPPORTED));

    @Test
    void aHaltedNodeAppliesAnswersAndVotesNoMoreAndSaysWhy() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline, List.of(1, 1, OLDER))) {
            Replica older = replicas.all().get(2);
            Waiting.until("a leader that knows the level", () -> newerLeads(replicas, older));
            Replica leader = replicas.leader().orElseThrow();
            Replica other = replicas.all().stream()
                    .filter(one -> one != leader && one != older)
                    .findFirst()
                    .orElseThrow();

            Health health = new Health(timeline, () -> false);
            health.follow(Health.Part.of(older));
            Waiting.until("the older one is ready", health::isReady);

            assertThat(leader.write(RISE).join()).isEqualTo(Words.DONE);
            Waiting.until("the halt of the older one", () -> older.halt().isPresent());
            Waiting.until("the death of the older one", () -> !health.isLive());
            assertThat(health.isReady()).isFalse();
            List<String> before = replicas.table(older).saved();
            assertThat(WiredReplicas.write(leader)).startsWith(Words.GRANTED);

            assertThat(replicas.table(older).saved()).isEqualTo(before);
            assertThat(older.read(Words.AT).join()).startsWith(Words.LATER).contains("this node is halted: entry");
            assertThat(WiredReplicas.write(older)).startsWith(Words.LATER).contains("this node is halted: entry");
            assertThat(status(older, replicas.table(older)))
                    .contains("\"level\":0")
                    .containsPattern(
                            "\"halted\":\"entry \\d+ raises the level to 1, and this build knows levels up to 0\"");
            assertThat(status(leader, replicas.table(leader)))
                    .contains("\"level\":1")
                    .doesNotContain("halted");

            replicas.wireTo(leader).cut(TcpProxy.Fault.REFUSED);
            replicas.wireTo(other).cut(TcpProxy.Fault.REFUSED);
            Waiting.until("no leader", () -> replicas.leader().isEmpty());
            replicas.stop(leader);
            replicas.wireTo(other).heal();
            for (long end = timeline.nanos() + ELECTION_TIMEOUT.multipliedBy(8).toNanos(); timeline.nanos() < end; ) {
                assertThat(replicas.leader())
                        .as("a leader by the vote of a halted node")
                        .isEmpty();
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }

    /** Entries of several calls come with level 1: below it they would halt every older node. */
    @Test
    void belowTheLevelEachCallIsAnEntryByItself() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline, List.of(1, 1, OLDER))) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();

            assertThat(toldOfThreeSwaps(replicas, leader)).containsExactly(Set.of("a"), Set.of("b"), Set.of("c"));

            for (Replica one : replicas.all()) {
                String read = Line.of(Words.READ, "c");
                Waiting.until(
                        "the last record",
                        () -> !replicas.table(one).query(read).equals(Words.READ));
                assertThat(one.halt()).isEmpty();
            }
        }
    }

    @Test
    void fromTheLevelOnCallsThatCameTogetherAreOneEntry() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();
            assertThat(leader.write(RISE).join()).isEqualTo(Words.DONE);

            assertThat(toldOfThreeSwaps(replicas, leader)).containsExactly(Set.of("a", "b", "c"));
        }
    }

    /** What each entry changed that three swaps at once became. */
    private static List<Set<String>> toldOfThreeSwaps(WiredReplicas replicas, Replica leader) {
        List<Set<String>> told = new CopyOnWriteArrayList<>();
        replicas.table(leader).listen(told::add);
        List<String> swaps = Stream.of("a", "b", "c")
                .map(name -> Line.of(Words.SWAP, name, "", "n-" + name, "", "{}"))
                .toList();

        List<String> answers =
                leader.writeAll(swaps).stream().map(CompletableFuture::join).toList();

        assertThat(answers).containsExactly("ACCEPTED\tn-a", "ACCEPTED\tn-b", "ACCEPTED\tn-c");
        return told;
    }

    /** The same without a halt: what is asserted above is not for want of a wire or of patience. */
    @Test
    void aNodeThatIsNotHaltedVotesInThatPlace() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();
            replicas.stop(leader);

            Waiting.until("a leader of the two others", () -> replicas.leader().isPresent());
        }
    }

    @Test
    void aNodeWhoseSnapshotIsOfAnotherBuildDoesNotStart() throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.create("snapshot");
                SystemTimeline timeline = new SystemTimeline()) {
            UUID cluster = UUID.randomUUID();
            Replica.Peer self = new Replica.Peer(NodesHere.members("n1").get(0), "disk");
            RaftOptions.Choices choices =
                    new RaftOptions.Choices(ELECTION_TIMEOUT, NodeSettings.SNAPSHOT_EVERY, Optional.empty());
            Path log = folder.resolve("log");
            start(new Replica.Settings(cluster, self, List.of(self), log, true, choices), timeline)
                    .close();
            Path snapshots = log.resolve(cluster.toString()).resolve("sm");
            Files.createDirectories(snapshots);
            Files.write(snapshots.resolve("snapshot.1_9999"), List.of("LEVEL\t2"));

            assertThatThrownBy(() ->
                            start(new Replica.Settings(cluster, self, List.of(self), log, false, choices), timeline))
                    .isInstanceOf(NodeRefusal.class)
                    .hasMessage(
                            "node n1 does not start: the snapshot is of level 2, and this build knows levels up to 1;"
                                    + " start it with the build that wrote this");
        }
    }

    private static Replica start(Replica.Settings settings, SystemTimeline timeline) throws IOException {
        return Replica.start(settings, new SharedTable(timeline), timeline, Notices.NONE);
    }

    private static boolean newerLeads(WiredReplicas replicas, Replica older) {
        if (older.isLeading()) {
            older.transfer(replicas.reached(0, WiredReplicas.DISK)).join();
        }
        return replicas.leader().filter(leader -> leader != older).isPresent();
    }

    private static String status(Replica replica, SharedTable table) {
        List<Member> members = NodesHere.members("n1");
        NodeSettings settings = NodesHere.settings(members, "n1", NodesHere.Access.OPEN, Path.of("nowhere"));
        return new Pages(settings, replica, table).status(Marker.fresh("n1"), settings.members());
    }
}
