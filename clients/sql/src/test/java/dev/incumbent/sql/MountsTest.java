package dev.incumbent.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountsTest {
    @TempDir
    private Path place;

    @Test
    void aDatabaseThatIsMountedByItselfIsASingleFileAndOneInAMountedFolderIsNot() throws IOException {
        Path folder = Files.createDirectory(place.resolve("a folder"));
        Path database = Files.createFile(folder.resolve("c.db")).toRealPath();
        Path mounts = place.resolve("mountinfo");
        String escaped = database.toString().replace(" ", "\\040");

        Files.writeString(
                mounts,
                "36 35 98:0 /x " + folder.toRealPath().toString().replace(" ", "\\040") + " rw - ext4 /dev/a rw\n");
        assertThat(Mounts.isSingleFile(database, mounts)).isFalse();
        assertThat(Mounts.isSingleFile(folder.resolve("absent.db"), mounts)).isFalse();

        Files.writeString(mounts, "36 35 98:0 /x " + escaped + " rw - ext4 /dev/a rw\n", StandardOpenOption.APPEND);
        Path link = Files.createSymbolicLink(place.resolve("link.db"), database);
        assertThat(Mounts.isSingleFile(database, mounts)).isTrue();
        assertThat(Mounts.isSingleFile(link, mounts)).isTrue();
    }

    @Test
    void whereNoMountsAreListedNothingIsASingleFile() {
        assertThat(Mounts.isSingleFile(place.resolve("c.db"), place.resolve("absent")))
                .isFalse();
    }
}
