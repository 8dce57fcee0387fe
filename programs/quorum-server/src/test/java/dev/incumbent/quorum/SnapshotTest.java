package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.servers.SmallDisk;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.Test;

/** A snapshot counts only as a whole. */
final class SnapshotTest {
    @Test
    void oneThatFindsNoRoomIsNoneAndTheNextOneIs() throws IOException {
        assumeThat(SmallDisk.isPossible()).isTrue();
        try (SystemTimeline timeline = new SystemTimeline();
                SmallDisk disk = SmallDisk.ofMegabytes(2);
                RaftStorage storage = storage(disk)) {
            TableMachine machine = new TableMachine(new SharedTable(timeline), () -> {}, Notices.NONE);
            machine.getStateMachineStorage().init(storage);
            machine.notifyTermIndexUpdated(1, 7);

            disk.fill();
            assertThatThrownBy(machine::takeSnapshot).isInstanceOf(IOException.class);
            assertThat(asItIsFound(storage).getLatestSnapshot()).isNull();

            disk.makeRoom();
            assertThat(machine.takeSnapshot()).isEqualTo(7);
            assertThat(asItIsFound(storage).getLatestSnapshot().getFile().getFileDigest())
                    .isNotNull();
        }
    }

    private static RaftStorage storage(SmallDisk disk) throws IOException {
        RaftStorage storage = RaftStorage.newBuilder()
                .setDirectory(disk.folder("raft").path().toFile())
                .setOption(StartupOption.FORMAT)
                .setLogCorruptionPolicy(CorruptionPolicy.EXCEPTION)
                .setStorageFreeSpaceMin(SizeInBytes.ONE_KB)
                .build();
        storage.initialize();
        return storage;
    }

    /** By a node that starts. */
    private static SimpleStateMachineStorage asItIsFound(RaftStorage storage) throws IOException {
        SimpleStateMachineStorage found = new SimpleStateMachineStorage();
        found.init(storage);
        return found;
    }
}
