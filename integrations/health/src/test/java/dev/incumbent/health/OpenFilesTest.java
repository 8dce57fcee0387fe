package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file descriptors of this JVM, and how figures are judged. */
class OpenFilesTest {
    private static final int MANY = 200;

    @TempDir
    private Path folder;

    @Test
    void filesThatAreOpenedAreCounted() throws IOException {
        Path file = Files.createFile(folder.resolve("f"));
        long before = counted();
        List<FileInputStream> opened = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                opened.add(new FileInputStream(file.toFile()));
            }

            assertThat(counted()).isGreaterThan(before + MANY / 2);
        } finally {
            for (FileInputStream one : opened) {
                one.close();
            }
        }
    }

    private static long counted() {
        Matcher told = Pattern.compile("has (\\d+) of (\\d+) file descriptors open")
                .matcher(OpenFiles.atMost(100).ask(0).why());
        assertThat(told.matches()).isTrue();
        assertThat(Long.parseLong(told.group(2))).isEqualTo(limit());
        return Long.parseLong(told.group(1));
    }

    private static long limit() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
    }

    @Test
    void whatIsNoPercentageIsRefused() {
        assertThatThrownBy(() -> OpenFiles.atMost(0)).hasMessageContaining("this one is 0.0");
        assertThatThrownBy(() -> OpenFiles.atMost(101)).hasMessageContaining("this one is 101.0");
    }

    @Test
    void theyAreComparedWithTheLimit() {
        assertThat(judged(900)).isEqualTo(Answer.well("has 900 of 1000 file descriptors open"));
        assertThat(judged(901)).isEqualTo(Answer.sick("has 901 of 1000 file descriptors open, more than 90 %"));
    }

    @Test
    void whereThereIsNoLimitItIsWell() {
        assertThat(new OpenFiles(90, Optional::empty).ask(0).isWell()).isTrue();
    }

    private static Answer judged(long open) {
        return new OpenFiles(90, () -> Optional.of(new OpenFiles.Count(open, 1_000))).ask(0);
    }
}
