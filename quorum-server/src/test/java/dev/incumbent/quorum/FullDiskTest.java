package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node without room for its log ends itself, and the others go on. */
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
