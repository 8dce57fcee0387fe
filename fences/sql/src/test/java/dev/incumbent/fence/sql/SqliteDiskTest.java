package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink on a disk that is full, or read-only: a file system of 200 kB in memory, which only root may mount. */
class SqliteDiskTest {
    private static final ElectionName BILLING = new ElectionName("billing");

    @TempDir
    Path disk;

    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        mounted = ran("mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk.toString());
        assumeTrue(mounted, "a file system cannot be mounted here: full and read-only disks are not tested");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertThat(ran("umount", disk.toString())).isTrue();
        }
    }

    @Test
    void aFullDiskIsToldAndTheMarkStays() throws Exception {
        try (Sink sink = installed()) {
            answer(sink.raise(BILLING, mark(5)));
            Path filler = fill();

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(6))))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("the disk is full");

            assertThat(answer(sink.marks()).marks()).containsEntry(BILLING, mark(5));
            Files.delete(filler);
            assertThat(answer(sink.raise(BILLING, mark(6)))).isEqualTo(new Raise.Raised(mark(6)));
        }
    }

    @Test
    void aReadOnlyDiskIsToldAndItsMarksAreStillRead() throws Exception {
        try (Sink sink = installed()) {
            answer(sink.raise(BILLING, mark(5)));
        }
        assertThat(ran("mount", "-o", "remount,ro", disk.toString())).isTrue();

        try (Sink sink = new SqlSinkProvider().open(url(), Duration.ofSeconds(5))) {
            assertThat(answer(sink.marks()).marks()).containsEntry(BILLING, mark(5));
            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(6))))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("cannot be written");
        }
        assertThatThrownBy(() -> new SqlSinkProvider().install(url())).hasMessageContaining("cannot be written");
    }

    /** As a container has it that was given the file alone. */
    @Test
    void aFileThatIsMountedByItselfIsRefusedToAllAndItsFolderIsNot() throws Exception {
        installed().close();
        Path alone = Files.createFile(disk.resolve("alone.db"));
        assertThat(ran("mount", "--bind", disk.resolve("ledger.db").toString(), alone.toString()))
                .isTrue();
        try {
            String url = "sqlite:" + alone;
            try (Sink sink = new SqlSinkProvider().open(url, Duration.ofSeconds(5))) {
                assertRefusedAsASingleFile(url, () -> answer(sink.raise(BILLING, mark(5))));
            }
            assertRefusedAsASingleFile(url, () -> new SqlSinkProvider().install(url));
        } finally {
            assertThat(ran("umount", alone.toString())).isTrue();
        }
    }

    private static void assertRefusedAsASingleFile(String url, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(SinkException.class)
                .hasMessageStartingWith(url + " is mounted as a single file")
                .hasMessageEndingWith("mount its folder");
    }

    private String url() {
        return "sqlite:" + disk.resolve("ledger.db");
    }

    private Sink installed() {
        new SqlSinkProvider().install(url());
        return new SqlSinkProvider().open(url(), Duration.ofSeconds(5));
    }

    private Path fill() throws IOException {
        Path filler = disk.resolve("filler");
        Files.createFile(filler);
        byte[] block = new byte[1024];
        for (int blocks = 0; blocks < 1000; blocks++) {
            try {
                Files.write(filler, block, StandardOpenOption.APPEND);
            } catch (IOException full) {
                return filler;
            }
        }
        throw new AssertionError("a disk of 200 kB took 1 MB");
    }

    private static boolean ran(String... command) throws Exception {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("ops"));
    }
}
