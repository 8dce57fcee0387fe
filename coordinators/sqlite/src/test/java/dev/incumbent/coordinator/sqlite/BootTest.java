package dev.incumbent.coordinator.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process must know of its machine, told by a folder like {@code /proc}. */
final class BootTest {
    @TempDir
    private Path proc;

    @BeforeEach
    void pretend() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "b00t\n");
    }

    @Test
    void itIsTheKernelsAndThisMachinesIsKnown() throws IOException {
        assertThat(Boot.of(proc, "Linux")).isEqualTo(new Boot("b00t"));
        Files.writeString(
                proc.resolve("self/timens_offsets"),
                "monotonic           0         0\nboottime            5         0\n");
        assertThat(Boot.of(proc, "Linux")).isEqualTo(new Boot("b00t"));
    }

    @Test
    void oneThatIsHiddenIsRefusedAndWhereThereIsNoneItIsUnknown() throws IOException {
        Files.delete(proc.resolve("sys/kernel/random/boot_id"));

        assertThatThrownBy(() -> Boot.of(proc, "Linux"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("sys/kernel/random/boot_id cannot be read")
                .hasMessageContaining("ProcSubset=pid");
        assertThat(Boot.of(proc, "Mac OS X")).isEqualTo(new Boot(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"monotonic        3600         0", "monotonic  0 500000000", "monotonic  -7 0"})
    void aTimeNamespaceIsRefused(String line) throws IOException {
        Files.writeString(proc.resolve("self/timens_offsets"), line + "\nboottime            0         0\n");

        assertThatThrownBy(() -> Boot.of(proc, "Linux"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("is in a time namespace whose clock is");
    }
}
