package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RereadTest {
    @TempDir
    Path folder;

    /** Such as one whose rights were given a moment after it was put there: that changes neither its time nor its size. */
    @Test
    void aFileThatCouldNotBeReadIsReadAgainAlthoughItHasNotChangedSince() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "one");
        AtomicBoolean closed = new AtomicBoolean();
        Reread<String> reread = new Reread<>(List.of(file), () -> {
            if (closed.get()) {
                throw new IOException("permission denied");
            }
            return Files.readString(file);
        });

        closed.set(true);
        Files.writeString(file, "another");
        assertThat(reread.now()).isEqualTo("one");
        closed.set(false);

        assertThat(reread.now()).isEqualTo("another");
    }

    @Test
    void whyAFileCannotBeReadIsToldOnceUntilItCanBe() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "one");
        List<String> told = new ArrayList<>();
        Reread<String> reread = new Reread<>(
                List.of(file),
                () -> Files.readString(file),
                e -> told.add(e.getClass().getSimpleName()));
        for (int time = 1; time <= 2; time++) {
            Files.delete(file);
            reread.now();
            reread.now();
            assertThat(told).as("time " + time).hasSize(time).containsOnly("NoSuchFileException");
            Files.writeString(file, "again");
            assertThat(reread.now()).isEqualTo("again");
        }
    }

    /** Tokens are of one length, and a tool may give a file the time of another. */
    @Test
    void aFileOfTheSameSizeIsAnotherByItsTimeOrItsPlaceOnTheDisk() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "one");
        Reread<String> reread = new Reread<>(List.of(file), () -> Files.readString(file));
        FileTime time = Files.getLastModifiedTime(file);

        Path next = Files.writeString(folder.resolve("next"), "two");
        Files.setLastModifiedTime(next, time);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        assertThat(reread.now()).isEqualTo("two");

        Files.writeString(file, "six");
        Files.setLastModifiedTime(file, FileTime.fromMillis(time.toMillis() + 1));
        assertThat(reread.now()).isEqualTo("six");
    }
}
