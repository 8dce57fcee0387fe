package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Room on a real file system, and how figures are judged. */
class FreeDiskTest {
    @TempDir
    private Path folder;

    @Test
    void aRealFileSystemHasSomeRoomAndNotAllThereIs() throws IOException {
        assertThat(FreeDisk.atLeast(folder, 1).ask(0).isWell()).isTrue();
        assertThat(FreeDisk.atLeast(folder, Long.MAX_VALUE).ask(0).isWell()).isFalse();
        assertThat(FreeDisk.atLeastPercent(folder, 0.000_001).ask(0).isWell()).isTrue();
        assertThat(FreeDisk.atLeastPercent(folder, 100).ask(0).isWell()).isFalse();
    }

    /** A part of what is free is kept for the superuser on many file systems. */
    @Test
    void onlyWhatThisUserMayUseCounts() throws IOException {
        FileStore store = Files.getFileStore(folder);
        long kept = store.getUnallocatedSpace() - store.getUsableSpace();
        assumeTrue(kept > 100_000_000, "nothing is kept here");

        assertThat(FreeDisk.atLeast(folder, store.getUsableSpace() + kept / 2)
                        .ask(0)
                        .isWell())
                .isFalse();
    }

    @Test
    void aPathThatIsNotThereIsSick() throws IOException {
        assertThat(FreeDisk.atLeast(folder.resolve("absent"), 1).ask(0)).isEqualTo(Answer.sick("is not there"));
    }

    @Test
    void bytesAreCompared() {
        FreeDisk disk = FreeDisk.atLeast(folder, 500_000_000);

        assertThat(disk.judge(500_000_000, 2_000_000_000)).isEqualTo(Answer.well("has 500 MB free, 25 %"));
        assertThat(disk.judge(499_999_999, 2_000_000_000))
                .isEqualTo(Answer.sick("has 500 MB free, 25 %, less than 500 MB"));
    }

    @Test
    void partsOfTheWholeAreCompared() {
        FreeDisk disk = FreeDisk.atLeastPercent(folder, 5);

        assertThat(disk.judge(50, 1_000)).isEqualTo(Answer.well("has 50 bytes free, 5 %"));
        assertThat(disk.judge(49, 1_000)).isEqualTo(Answer.sick("has 49 bytes free, 4.9 %, less than 5 %"));
        assertThat(disk.judge(0, 0).isWell()).as("a file system of no size").isFalse();
    }

    @Test
    void itsNameIsTheSubjectOfTheSentence() {
        assertThat(FreeDisk.atLeast(Path.of("/var/lib"), 1).name()).isEqualTo("disk /var/lib");
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        assertThatThrownBy(() -> FreeDisk.atLeast(folder, 0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> FreeDisk.atLeastPercent(folder, 0)).hasMessageContaining("this one is 0.0");
        assertThatThrownBy(() -> FreeDisk.atLeastPercent(folder, 101)).hasMessageContaining("this one is 101.0");
        assertThatThrownBy(() -> FreeDisk.atLeastPercent(folder, Double.NaN)).hasMessageContaining("this one is NaN");
    }
}
