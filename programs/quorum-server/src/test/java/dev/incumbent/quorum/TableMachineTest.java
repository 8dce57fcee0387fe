package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node begins with: its last snapshot, and as a leader every lease anew. */
final class TableMachineTest {
    private final TemporaryFolder folder = TemporaryFolder.create("machine");
    private final VirtualTimeline time = new VirtualTimeline();
    private final SharedTable table = new SharedTable(time);
    private final List<String> led = new ArrayList<>();
    private final TableMachine machine = new TableMachine(table, () -> led.add("ready"), Notices.NONE);
    private RaftStorage storage;

    @BeforeEach
    void format() throws IOException {
        storage = RaftStorage.newBuilder()
                .setDirectory(folder.path().toFile())
                .setOption(StartupOption.FORMAT)
                .setLogCorruptionPolicy(CorruptionPolicy.EXCEPTION)
                .setStorageFreeSpaceMin(SizeInBytes.ONE_KB)
                .build();
        storage.initialize();
        machine.getStateMachineStorage().init(storage);
        apply(1, "EPOCH", "e1");
        apply(2, "GRANT", "L1", "ada", "2000");
        apply(3, "SWAP", "billing", "", "x1", "L1", "{}");
        machine.notifyTermIndexUpdated(7, 3);
    }

    @AfterEach
    void close() throws IOException {
        storage.close();
        folder.close();
    }

    @Test
    void aNodeThatStartsGoesOnWhereItsSnapshotWasTaken() throws IOException {
        machine.takeSnapshot();

        SharedTable found = new SharedTable(time);
        TableMachine next = started(found);

        assertThat(found.saved()).isEqualTo(table.saved());
        assertThat(next.getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(7, 3));
        assertThat(found.changes("3@e1", Set.of("billing"), Set.of())).containsExactly("AT\t3@e1");
    }

    @Test
    void aSnapshotThatChangedOnItsDiskIsNotTaken() throws IOException {
        machine.takeSnapshot();
        Path file =
                machine.getStateMachineStorage().getLatestSnapshot().getFile().getPath();
        Files.writeString(file, Files.readString(file).replace("L1", "L2"));

        assertThatThrownBy(() -> started(new SharedTable(time)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not as it was written")
                .hasMessageContaining("--rejoin");
    }

    @Test
    void whoBecomesReadyToLeadCountsEveryLeaseAnew() {
        time.advance(Duration.ofMillis(1_999));

        machine.notifyLeaderReady();

        assertThat(led).containsExactly("ready");
        time.advance(Duration.ofMillis(1_999));
        assertThat(table.overdue()).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(table.overdue()).hasSize(1);
    }

    /** The leader sends its snapshot again where the first one could not be put in its place. */
    @Test
    void aMachineThatWaitsForTheLeadersSnapshotMayBeToldOfItAgain() throws IOException {
        machine.takeSnapshot();
        SharedTable found = new SharedTable(time);
        TableMachine next = new TableMachine(found, () -> {}, Notices.NONE);
        next.getStateMachineStorage().init(storage);
        next.getLifeCycle().startAndTransition(() -> {});

        next.pause();
        next.pause();
        assertThat(next.getLifeCycleState()).isEqualTo(LifeCycle.State.PAUSED);
        next.reinitialize();

        assertThat(next.getLifeCycleState()).isEqualTo(LifeCycle.State.RUNNING);
        assertThat(found.saved()).isEqualTo(table.saved());
    }

    private TableMachine started(SharedTable with) throws IOException {
        TableMachine next = new TableMachine(with, () -> {}, Notices.NONE);
        next.getStateMachineStorage().init(storage);
        next.reinitialize();
        return next;
    }

    private void apply(long index, String... fields) {
        table.apply(index, Line.of(fields));
    }
}
