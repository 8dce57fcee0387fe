package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.SinkException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A SQLite file is no sink where other machines may write to it. */
class SharedFileSystemTest {
    @ParameterizedTest
    @ValueSource(strings = {"nfs4", "cifs", "smb3", "9p", "virtiofs", "glusterfs", "fuse.sshfs", "NFS"})
    void aFileThatOtherMachinesMayShareIsRefused(String type) {
        assertThatThrownBy(() -> new SqliteFile(Path.of("/somewhere/ledger.db")).refuseShared(type))
                .isInstanceOf(SinkException.class)
                .hasMessage("sqlite:/somewhere/ledger.db lies on a file system (" + type
                        + ") that other machines may share, where SQLite's locks do not hold");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ext4", "tmpfs", "overlay", "xfs", "btrfs", "zfs", "apfs", "NTFS", "fuse.fuse-overlayfs", ""})
    void aLocalFileSystemIsTaken(String type) {
        assertThatCode(() -> new SqliteFile(Path.of("/somewhere/ledger.db")).refuseShared(type))
                .doesNotThrowAnyException();
    }
}
