package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node without room for its log ends itself, and the others go on. */
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(Quorums.TROUBLED)
final class FullDiskTest {
    private static final Pattern APPLIED = Pattern.compile("\"applied\":\\s*(\\d+)");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneWithoutRoomEndsAndSaysWhyTheOthersGoOnAndItComesBackOnceThereIsRoom(boolean isLeader) {
        assumeThat(SmallDisk.isPossible()).isTrue();
        QuorumCluster cluster = Quorums.troubled();
        ElectionName election = new ElectionName("full/" + UUID.randomUUID());
        try (SystemTimeline timeline = new SystemTimeline();
                Coordinator client = new QuorumCoordinatorProvider()
                        .open(cluster.uri(), timeline, Duration.ofSeconds(2), Mode.CREATE)) {
            Node leader = cluster.leader();
            Node full = isLeader
                    ? leader
                    : cluster.nodes().stream()
                            .filter(node -> node != leader)
                            .findFirst()
                            .orElseThrow();

            FullDisks.fill(cluster, List.of(full), 1);

            assertThat(full.process().logTail())
                    .contains("node " + full.name() + " ends: its log in " + full.data() + " cannot be written")
                    .contains("No space left on device");
            Waiting.until("a write without it", () -> isWritten(client, election));
            Revision written = Calling.found(client, election);
            assertThat(written).isNotEqualTo(Revision.ABSENT);

            FullDisks.makeRoom(cluster);
            cluster.startAll();
            long applied = applied(cluster, cluster.leader());
            Waiting.until("its catching up", () -> applied(cluster, full) >= applied);
            assertThat(Calling.found(client, election)).isEqualTo(written);
        } finally {
            FullDisks.makeRoom(cluster);
            cluster.startAll();
        }
    }

    @Test
    void oneThatIsStartedWithoutRoomSaysSoAndEndsAndComesBackOnceThereIsSome() {
        assumeThat(SmallDisk.isPossible()).isTrue();
        QuorumCluster cluster = Quorums.troubled();
        Node full = cluster.nodes().get(2);
        try {
            full.process().kill();
            full.disk().orElseThrow().fill();
            cluster.launch(full);
            Waiting.until("its end", () -> !full.isRunning());
            assertThat(full.process().logTail().lines().reduce("", (first, last) -> last))
                    .startsWith("node " + full.name() + " does not start: it cannot write to " + full.data())
                    .contains("No space left on device");
        } finally {
            FullDisks.makeRoom(cluster);
            cluster.startAll();
        }
        Waiting.until("its service", () -> !cluster.status(full).isEmpty());
    }

    /** With room for its marker at most, where it has no log yet. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8})
    void aNewOneWithoutRoomForItsLogIsRefusedInASentenceAndStartsOnceThereIsSome(int pages) throws Exception {
        assumeThat(SmallDisk.isPossible()).isTrue();
        try (SmallDisk disk = SmallDisk.ofMegabytes(48)) {
            Path folder = disk.folder("n1").path();
            List<Integer> ports = FreePorts.some(2);
            NodeSettings alone = new NodeSettings(
                    List.of(Member.of("n1=127.0.0.1:" + ports.get(0) + "/" + ports.get(1))),
                    "n1",
                    folder,
                    Tokens.none(),
                    Optional.empty(),
                    NodeSettings.Coming.AS_IT_IS,
                    NodeSettings.ELECTION_TIMEOUT,
                    NodeSettings.SNAPSHOT_EVERY);
            Path begun = Files.createFile(folder.resolve("marker.next"));
            disk.fillBut(pages);

            for (int attempt = 1; attempt <= 3; attempt++) {
                assertThatThrownBy(() -> QuorumNode.start(alone, said -> {}))
                        .isInstanceOf(NodeRefusal.class)
                        .hasMessageStartingWith("node n1 does not start: it cannot write to " + folder)
                        .hasMessageEndingWith("make room, and start it again")
                        .matches(refused -> ((NodeRefusal) refused).isOfTheDisk());
            }
            assertThat(begun).isEmptyFile();

            disk.makeRoom();
            QuorumNode.start(alone, said -> {}).close();
        }
    }

    private static boolean isWritten(Coordinator client, ElectionName election) {
        try {
            Calling.created(client, election);
            return true;
        } catch (CoordinatorException untilAnotherLeads) {
            return false;
        }
    }

    private static long applied(QuorumCluster cluster, Node node) {
        Matcher found = APPLIED.matcher(cluster.status(node));
        return found.find() ? Long.parseLong(found.group(1)) : -1;
    }
}
