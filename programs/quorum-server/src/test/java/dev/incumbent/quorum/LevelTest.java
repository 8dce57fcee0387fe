package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries, snapshots and markers keep to the level. */
final class LevelTest {
    private final LeaseTable table = new LeaseTable(Entry.SUPPORTED);
    private long index;

    @Test
    void untilTheLevelRisesEntriesAndSnapshotsAreAsTheyWere() {
        apply(Entry.at(0, Line.of("GRANT", "L1", "ada", "2000")));

        assertThat(Entry.at(0, "KEEP\tL1")).isEqualTo("KEEP\tL1");
        assertThat(table.level()).isZero();
        assertThat(table.saved()).containsExactly("LEASE\tL1\tada\t2000\t0");
    }

    @Test
    void fromTheEntryOnThatRaisesItTheyNameTheirLevel() {
        apply("LEVEL\t1");
        apply(Entry.at(table.level(), Line.of("GRANT", "L1", "ada", "2000")));

        assertThat(Entry.at(1, "KEEP\tL1")).isEqualTo("@1\tKEEP\tL1");
        assertThat(table.saved()).containsExactly("LEVEL\t1", "LEASE\tL1\tada\t2000\t0");
        LeaseTable copy = new LeaseTable(Entry.SUPPORTED);
        copy.restore(table.saved());
        assertThat(copy.level()).isEqualTo(1);
        assertThat(copy.saved()).isEqualTo(table.saved());
    }

    @Test
    void anEntryThatWasProposedBeforeTheLevelRoseIsReadAsItWasWritten() {
        apply("LEVEL\t1");

        assertThat(apply("GRANT\tL1\tada\t2000")).isEqualTo("GRANTED\tL1\t2000");
    }

    @Test
    void theLevelNeverFalls() {
        apply("LEVEL\t1");
        apply("LEVEL\t0");

        assertThat(table.level()).isEqualTo(1);
    }

    @Test
    void whatOfAnotherBuildIsNotKnownChangesNothingAndIsTold() {
        apply("GRANT\tL1\tada\t2000");
        List<String> before = table.saved();

        assertUnknown("NONSENSE\tx", "entry 2 begins with 'NONSENSE'");
        assertUnknown("\"}\\", "entry 2 begins with '");
        assertUnknown("", "entry 2 begins with ''");
        assertUnknown("@1\tKEEP\tL1", "entry 2 is of level 1, and the log is at level 0");
        assertUnknown("LEVEL\t2", "raises the level to 2, and this build knows levels up to 1");
        assertUnknown("LEVEL\tx", "raises the level to x");
        assertUnknown("LEVEL", "raises the level to ");

        assertThat(table.saved()).isEqualTo(before);
        apply("LEVEL\t1");
        index = 1;
        assertUnknown("@2\tKEEP\tL1", "entry 2 is of level 2, and the log is at level 1");
        assertUnknown("@1", "entry 2 begins with ''");
        assertUnknown("@99999999999\tKEEP\tL1", "entry 2 begins with '@99999999999'");
    }

    @Test
    void aSnapshotOfAnotherBuildIsNotTaken() {
        for (String line : List.of("LEVEL\t2", "NONSENSE\tx", "LEASE\tL1", "EPOCH\tx\te1", "")) {
            assertThatThrownBy(() -> table.restore(List.of(line))).isInstanceOf(UnknownFormat.class);
        }
    }

    @Test
    void aRefusalNamesItsElectionAtEveryLevel() {
        SharedTable shared = new SharedTable(new dev.incumbent.time.VirtualTimeline());
        shared.apply(1, "SWAP\tbilling\t\tx1\t\t{1}");
        shared.apply(2, "LEVEL\t1");

        assertThat(shared.apply(3, "@1\tSWAP\tbilling\tx9\tx2\t\t{2}")).isEqualTo("REFUSED\tbilling\tx1\t0\t0\t{1}");
    }

    @Test
    void aDiskThatIsBoundIsRefusedByBuildsThatDoNotKnowTheLevel() throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.create("marker")) {
            Marker plain = Marker.fresh("n1");
            plain.write(folder.path());
            assertThat(first(folder)).isEqualTo("SELF\tn1\t" + plain.disk());

            Marker bound = plain.boundTo(1);
            bound.write(folder.path());

            // The build before levels compares the second field with its own name.
            assertThat(first(folder)).isEqualTo("SELF\tn1 at level 1, which needs a newer build\t" + plain.disk());
            assertThat(Marker.read(folder.path(), "n1")).isEqualTo(bound);
            assertThat(bound.own().isLaterThan(plain.own())).isTrue();
            assertThat(bound.with(Roll.EMPTY.with("n1", bound.own())).level()).isEqualTo(1);
            assertThat(bound.beat().level()).isEqualTo(1);
            assertThat(bound.boundTo(1)).isEqualTo(bound);
            assertThatThrownBy(() -> Marker.read(folder.path(), "n2"))
                    .isInstanceOf(NodeRefusal.class)
                    .hasMessageContaining("belongs to node n1, not to n2");

            plain.boundTo(2).write(folder.path());
            assertThatThrownBy(() -> Marker.read(folder.path(), "n1"))
                    .isInstanceOf(NodeRefusal.class)
                    .hasMessage("node n1 does not start: its log is at level 2, and this build knows levels up to 1;"
                            + " start it with a newer build");
        }
    }

    private static String first(TemporaryFolder folder) throws IOException {
        Path file = folder.resolve("marker");
        return Files.readAllLines(file).get(0);
    }

    private void assertUnknown(String line, String why) {
        assertThatThrownBy(() -> table.apply(index + 1, line))
                .isInstanceOf(UnknownFormat.class)
                .hasMessageContaining(why);
    }

    private String apply(String line) {
        return table.apply(++index, line).answer();
    }
}
