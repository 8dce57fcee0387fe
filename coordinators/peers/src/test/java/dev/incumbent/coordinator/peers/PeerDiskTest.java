package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.raft.RaftDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Term and vote on a disk. */
class PeerDiskTest {
    private static final MemberId A = new MemberId("a:7501");
    private static final MemberId B = new MemberId("b:7501");
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final RaftDisk VOTED = new RaftDisk("billing/closer", 7, Optional.of(B));

    @TempDir
    Path folder;

    private PeerDisk disk() {
        return PeerDisk.open(folder, ELECTION, new PeerGroup(A, List.of(A, B)));
    }

    @Test
    void whatWasWrittenLastIsRead() throws IOException {
        try (PeerDisk disk = disk()) {
            assertThat(disk.read()).as("an empty folder").isEmpty();
            disk.write(new RaftDisk("billing/closer", 6, Optional.empty()));
            disk.write(VOTED);
        }

        try (PeerDisk disk = disk()) {
            assertThat(disk.read()).contains(VOTED);
        }
    }

    @Test
    void aWriteThatWasCutOffLeavesWhatWasThere() throws IOException {
        try (PeerDisk disk = disk()) {
            disk.write(VOTED);
        }
        Files.writeString(folder.resolve("member.new"), "incumbent-peers 1\ngroup bil");

        try (PeerDisk disk = disk()) {
            assertThat(disk.read()).contains(VOTED);
        }
    }

    @Test
    void whoeverComesSecondIsRefusedAndTheFirstKeepsItsLock() throws IOException {
        PeerDisk first = disk();
        Path linked = folder.resolveSibling(folder.getFileName() + "-linked");
        Files.createSymbolicLink(linked, folder);

        assertThatThrownBy(() -> PeerDisk.open(linked, ELECTION, new PeerGroup(A, List.of(A, B))))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("is in use by this process already");

        Files.delete(linked);
        assertThat(isLocked()).as("the kernel keeps the first one's lock").isTrue();
        first.close();
        assertThat(isLocked()).isFalse();
        disk().close();
    }

    /** As the kernel lists it. */
    private boolean isLocked() throws IOException {
        String file = ":" + Files.getAttribute(folder.resolve("lock"), "unix:ino") + " ";
        return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(line -> line.contains(file));
    }

    @Test
    void whatIsDamagedIsNotTakenForEmpty() throws IOException {
        try (PeerDisk disk = disk()) {
            disk.write(VOTED);
            String whole = Files.readString(disk.file());
            for (int at = 0; at < whole.length(); at++) {
                char other = whole.charAt(at) == '5' ? '6' : '5';
                Files.writeString(disk.file(), whole.substring(0, at) + other + whole.substring(at + 1));
                boolean isTheLastLineBreak = at == whole.length() - 1;
                if (!isTheLastLineBreak) {
                    assertThatThrownBy(disk::read)
                            .as("changed at " + at)
                            .isInstanceOf(CoordinatorUnusableException.class);
                }
                Files.writeString(disk.file(), whole.substring(0, at));
                if (!isTheLastLineBreak) {
                    assertThatThrownBy(disk::read).as("cut at " + at).isInstanceOf(CoordinatorUnusableException.class);
                }
            }
        }
    }

    @Test
    void aFolderOfAnotherMemberIsRefusedWithBothValues() throws IOException {
        try (PeerDisk disk = disk()) {
            disk.write(VOTED);
        }

        try (PeerDisk other = PeerDisk.open(folder, ELECTION, new PeerGroup(B, List.of(A, B)))) {
            assertThatThrownBy(other::read)
                    .hasMessageContaining("says 'group billing/closer, member a:7501, members a:7501,b:7501'")
                    .hasMessageContaining(
                            "and this member is 'group billing/closer, member b:7501, members a:7501,b:7501'");
        }
    }
}
