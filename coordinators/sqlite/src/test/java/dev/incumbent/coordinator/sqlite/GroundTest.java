package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.reading;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A store on a file system of its own, which is filled up and mounted to be read only: needs the right to mount. */
@Tag("realtime")
final class GroundTest {
    private SqliteRig rig;
    private Path ground;
    private boolean mounted;

    @BeforeEach
    void open() throws Exception {
        rig = new SqliteRig();
        ground = Files.createDirectory(rig.file().resolveSibling("ground"));
        mounted = ran("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", ground.toString());
        assumeTrue(mounted, "this user cannot mount");
    }

    @AfterEach
    void close() throws Exception {
        rig.closeClients();
        if (mounted) {
            assertThat(ran("umount", ground.toString())).isTrue();
        }
        rig.close();
    }

    @Test
    void aFullDiskIsToldAsNotAppliedAndLosesNothing() throws Exception {
        Coordinator client = connect(Mode.CREATE);
        Revision first = swapped(client, Revision.ABSENT, vacant(1));
        fill();

        CoordinatorException full = filledUp(client, first);

        assertThat(full).hasMessage("the disk that holds the coordinator file " + file() + " is full");
        assertThat(full.mayHaveApplied()).isFalse();
        Revision last = found(client).revision();
        Files.delete(ground.resolve("filler"));
        swapped(client, last, vacant(2));
        assertThat(rig.text(file(), "pragma integrity_check")).isEqualTo("ok");
    }

    @Test
    void aFullDiskHoldsNoNewStoreAndSaysSo() throws Exception {
        fill();

        assertThatThrownBy(() -> swapped(connect(Mode.CREATE), Revision.ABSENT, vacant(1)))
                .hasStackTraceContaining("coordinator file " + file());
    }

    @Test
    void aReadOnlyMountIsRefusedToWriteAndStillRead() throws Exception {
        Coordinator writer = connect(Mode.CREATE);
        Revision last = swapped(writer, Revision.ABSENT, vacant(3));
        writer.close();
        remount("ro");

        assertThatThrownBy(() -> connect(Mode.CREATE))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(file() + " cannot be written");
        assertThat(found(connect(Mode.READ_ONLY)).revision()).isEqualTo(last);
        assertThat(reading(readerOf(ground.resolve("absent.db")))).isInstanceOf(Reading.Absent.class);
    }

    @Test
    void theLogOfACrashOnAReadOnlyMountIsReadOrRefusedAndNeverPassedOver() throws Exception {
        Coordinator writer = connect(Mode.CREATE);
        swapped(writer, Revision.ABSENT, vacant(1));
        Path log = ground.resolve("c.db-wal");
        Files.copy(log, ground.resolve("kept"));
        writer.close();
        Files.move(ground.resolve("kept"), log, StandardCopyOption.REPLACE_EXISTING);
        remount("ro");

        assertThatThrownBy(() -> get(connect(Mode.READ_ONLY).elections("")))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("has a log, left by a crash");
    }

    @Test
    void aReaderOfAReadOnlyMountSeesWhatIsWrittenOnceItIsWritable() throws Exception {
        Coordinator client = connect(Mode.CREATE);
        Revision first = swapped(client, Revision.ABSENT, vacant(1));
        granted(client, rig.lease());
        client.close();
        remount("ro");
        Coordinator reader = connect(Mode.READ_ONLY);
        assertThat(found(reader).revision()).isEqualTo(first);

        remount("rw");
        Revision next = swapped(connect(Mode.CREATE), first, vacant(2));

        assertThat(found(reader).revision()).isEqualTo(next);
    }

    @Test
    void anotherUserReadsWhatIsNotItsToWriteBesideItsWriterAndWithoutOne() throws Exception {
        Coordinator writer = connect(Mode.CREATE);
        Revision last = swapped(writer, Revision.ABSENT, vacant(5));

        assertThat(asNobody("read")).isEqualTo("term 5");
        assertThat(asNobody("write")).contains(file() + " cannot be written");
        writer.close();
        assertThat(asNobody("read")).isEqualTo("term 5");

        assertThat(found(connect(Mode.CREATE)).revision()).isEqualTo(last);
    }

    /** As a container has it that was given the file alone. */
    @Test
    void aFileThatIsMountedByItselfIsRefused() throws Exception {
        swapped(connect(Mode.CREATE), Revision.ABSENT, vacant(1));
        Path alone = Files.createFile(ground.resolve("alone.db"));
        assertThat(ran("mount", "--bind", file().toString(), alone.toString())).isTrue();
        try {
            assertThatThrownBy(() -> new SqliteCoordinatorProvider()
                            .open("file:" + alone, rig.timeline(), SqliteRig.REQUEST_TIMEOUT, Mode.CREATE))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageStartingWith("the coordinator " + alone + " is mounted as a single file")
                    .hasMessageEndingWith("mount its folder");
        } finally {
            assertThat(ran("umount", alone.toString())).isTrue();
        }
    }

    /** Swaps until the disk is full. */
    private static CoordinatorException filledUp(Coordinator client, Revision first) throws Exception {
        Revision current = first;
        for (int i = 0; i < 2_000; i++) {
            var swap = client.swap(ELECTION, current, vacant(1));
            CoordinatorException failure = failure(swap);
            if (!String.valueOf(failure.getMessage()).startsWith("it was answered")) {
                return failure;
            }
            current = ((dev.incumbent.coordinator.Swap.Accepted) get(swap)).revision();
        }
        throw new AssertionError("the disk never filled up");
    }

    private String asNobody(String what) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        readableClassPath(),
                        OtherUser.class.getName(),
                        file().toString(),
                        what))
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** The class path, copied to where another user may read it. */
    private String readableClassPath() throws Exception {
        Path copy = Files.createDirectories(rig.file().resolveSibling("classes"));
        StringBuilder path = new StringBuilder();
        int number = 0;
        for (String entry : ClientProcess.classPath().split(":", -1)) {
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                Path target = copy.resolve(number++ + (entry.endsWith(".jar") ? ".jar" : ""));
                assertThat(ran("cp", "-r", entry, target.toString())).isTrue();
                path.append(path.isEmpty() ? "" : ":").append(target);
            }
        }
        assertThat(ran("chmod", "-R", "a+rX", rig.folder().toString())).isTrue();
        return path.toString();
    }

    private Path file() {
        return ground.resolve("c.db");
    }

    private Coordinator connect(Mode mode) {
        return rig.remembered(rig.open(file(), mode));
    }

    private Coordinator readerOf(Path file) {
        return rig.remembered(rig.open(file, Mode.READ_ONLY));
    }

    private void fill() throws IOException {
        byte[] block = new byte[4096];
        try (var out = Files.newOutputStream(ground.resolve("filler"))) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space");
        }
    }

    private void remount(String how) throws Exception {
        assertThat(ran("mount", "-o", "remount," + how, ground.toString())).isTrue();
    }

    private static boolean ran(String... command) throws Exception {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
