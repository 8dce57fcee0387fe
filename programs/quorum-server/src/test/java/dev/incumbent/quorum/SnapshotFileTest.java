package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator saved is read as it was saved, or not at all. */
final class SnapshotFileTest {
    private static final String NAME = "monday";

    @TempDir
    Path folder;

    private final Snapshot saved = SavedTable.snapshot();
    private final byte[] bytes = SavedTable.text(saved.lines());

    @Test
    void itIsReadAsItWasSaved() {
        Snapshot read = Snapshot.of(NAME, bytes);

        assertThat(read).isEqualTo(saved);
        assertThat(read.header().index()).isEqualTo(7);
        assertThat(read.header().epoch()).isEqualTo("e1");
        assertThat(read.header().level()).isEqualTo(1);
        assertThat(read.table().saved()).isEqualTo(SavedTable.table().saved());
        assertThat(read.elections())
                .extracting(Snapshot.Election::name)
                .containsExactly("billing/closer", "frozen", "later");
        assertThat(read.elections().get(2).record()).isEmpty();
        assertThat(read.leases()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x20, 0x80})
    void aChangedByteIsFoundWhereverItIs(int bits) {
        for (int place = 0; place < bytes.length; place++) {
            byte[] changed = bytes.clone();
            changed[place] ^= (byte) bits;

            assertRefused(changed, "byte " + place);
        }
    }

    @Test
    void aFileThatEndsTooSoonIsRefusedWhereverItEnds() {
        for (int length = 0; length < bytes.length; length++) {
            assertRefused(Arrays.copyOf(bytes, length), "the first " + length + " bytes");
        }
    }

    @Test
    void whatIsAppendedLeftOutOrMovedIsFound() {
        List<String> lines = saved.lines();
        for (int place = 0; place + 1 < lines.size(); place++) {
            List<String> fewer = new ArrayList<>(lines);
            String moved = fewer.remove(place);
            assertRefused(SavedTable.text(fewer), "without line " + place);
            fewer.add(place + 1, moved);
            assertRefused(SavedTable.text(fewer), "line " + place + " moved");
        }
        List<String> more = new ArrayList<>(lines);
        more.add(Line.of("LEASE", "L2", "eve", "1000", "0"));
        assertRefused(SavedTable.text(more), "one line more");
        assertRefused((String.join("\n", lines) + "\n\n").getBytes(StandardCharsets.UTF_8), "an empty line");
    }

    @Test
    void aLevelThatThisBuildDoesNotKnowIsRefused() {
        Snapshot.Header header = saved.header();
        Snapshot later = new Snapshot(
                new Snapshot.Header("c", "n1", Entry.SUPPORTED + 1, 7, header.epoch(), header.taken()),
                List.of(Line.of("LEVEL", Integer.toString(Entry.SUPPORTED + 1))));

        assertThatThrownBy(() -> reread(later))
                .isInstanceOf(UnusableSnapshot.class)
                .hasMessageContaining("is of level 2, and this build knows levels up to 1; use a newer build");
    }

    @Test
    void aTableThatThisBuildDoesNotUnderstandIsRefused() {
        assertThatThrownBy(() -> reread(new Snapshot(saved.header(), List.of("LEVEL\t1", "PARTY\tx"))))
                .isInstanceOf(UnusableSnapshot.class)
                .hasMessageContaining("begins with 'PARTY'");
        assertThatThrownBy(() -> reread(new Snapshot(saved.header(), List.of("LEASE\tL1\tada\t1000\t0"))))
                .isInstanceOf(UnusableSnapshot.class)
                .hasMessageContaining("its header says level 1, and the table is of level 0");
        assertThatThrownBy(() -> reread(new Snapshot(saved.header(), List.of("LEVEL\t1", "LEASE\tL1"))))
                .isInstanceOf(UnusableSnapshot.class)
                .hasMessageContaining("lacks fields");
    }

    @Test
    void anotherFormatAndAnotherFileAreRefused() {
        String other = new String(bytes, StandardCharsets.UTF_8).replaceFirst("\t1\n", "\t2\n");

        assertThatThrownBy(() -> Snapshot.of(NAME, other.getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("this build reads format 1");
        assertThatThrownBy(() ->
                        Snapshot.of(NAME, "forty years of work\n".repeat(20).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UnusableSnapshot.class)
                .hasMessage("monday is no snapshot of a quorum, or only the beginning of one");
    }

    @Test
    void equalTablesHaveOneStateWhoeverSavedThem() {
        Snapshot elsewhere = SavedTable.table().copy("c", "n3");
        SharedTable changed = SavedTable.table();
        SavedTable.apply(changed, 8, "KEEP", "L1");

        assertThat(elsewhere.state()).isEqualTo(saved.state());
        assertThat(elsewhere.sum()).isNotEqualTo(saved.sum());
        assertThat(changed.copy("c", "n3").state()).isNotEqualTo(saved.state());
    }

    @Test
    void aFileIsWrittenForItsOwnerAloneAndReplacedOnlyIfAsked() throws IOException {
        Path file = folder.resolve(NAME);
        Files.writeString(folder.resolve("monday.next"), "what a save that was cut off has left");

        Saving.write(saved, file, false);

        assertThat(Snapshot.read(file)).isEqualTo(saved);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> Saving.write(SavedTable.table().copy("c", "n3"), file, false))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Snapshot.read(file)).isEqualTo(saved);
        Saving.write(SavedTable.table().copy("c", "n3"), file, true);
        assertThat(Snapshot.read(file).header().node()).isEqualTo("n3");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    private static void reread(Snapshot snapshot) {
        Snapshot.of(NAME, SavedTable.text(snapshot.lines()));
    }

    private static void assertRefused(byte[] damaged, String how) {
        assertThatThrownBy(() -> Snapshot.of(NAME, damaged)).as(how).isInstanceOf(UnusableSnapshot.class);
    }
}
