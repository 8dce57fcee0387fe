package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the last build without levels (commit dee78fea) wrote is read as it read it: its log, its snapshot, and the table that it came to. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class GoldenLevelTest {
    private static final UUID CLUSTER = UUID.fromString("5b3c1b6e-0000-4000-8000-000000000001");
    private static final List<String> LOG = List.of("log_inprogress_0", "raft-meta", "raft-meta.conf");
    private static final List<String> SNAPSHOT = List.of("snapshot.1_39", "snapshot.1_39.md5");
    private static final String DISK = "golden";

    @Test
    void aLogIsReadFromItsFirstEntry() throws IOException {
        assertThat(replayed(List.of())).isEqualTo(golden());
    }

    @Test
    void aLogIsReadFromItsSnapshotOn() throws IOException {
        assertThat(replayed(SNAPSHOT)).isEqualTo(golden());
    }

    /** Without the entries of the replica that reads it: its own epoch. */
    private static List<String> replayed(List<String> snapshot) throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.create("golden");
                SystemTimeline timeline = new SystemTimeline()) {
            Path group = folder.resolve("log").resolve(CLUSTER.toString());
            copy(LOG, Files.createDirectories(group.resolve("current")));
            copy(snapshot, Files.createDirectories(group.resolve("sm")));
            SharedTable table = new SharedTable(timeline);
            Replica.Peer self = new Replica.Peer(NodesHere.members("n1").get(0), DISK);
            RaftOptions.Choices choices =
                    new RaftOptions.Choices(Duration.ofSeconds(1), NodeSettings.SNAPSHOT_EVERY, Optional.empty());
            Replica.Settings settings =
                    new Replica.Settings(CLUSTER, self, List.of(self), folder.resolve("log"), false, choices);
            Replica replica = Replica.start(settings, table, timeline, Notices.NONE);
            try {
                Waiting.until("a leader of one, with an epoch", () -> epochs(table) == 2);
                assertThat(replica.halt()).isEmpty();
                List<String> saved = new java.util.ArrayList<>(table.saved());
                saved.remove(1);
                return saved;
            } finally {
                replica.close();
            }
        }
    }

    private static long epochs(SharedTable table) {
        return table.saved().stream().filter(line -> line.startsWith("EPOCH")).count();
    }

    private static List<String> golden() {
        return new String(bytes("table"), StandardCharsets.UTF_8).lines().toList();
    }

    private static void copy(List<String> names, Path to) throws IOException {
        for (String name : names) {
            Files.write(to.resolve(name), bytes(name));
        }
    }

    private static byte[] bytes(String name) {
        try (InputStream in = GoldenLevelTest.class.getResourceAsStream("/golden-level-0/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
