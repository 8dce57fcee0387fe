package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder that a node of a restored quorum begins with. */
final class RestoringTest {
    private static final String CLUSTER = "22222222-0000-4000-8000-000000000002";
    private static final Duration QUIET = Duration.ofMillis(200);
    private static final List<Member> MEMBERS =
            List.of(Member.of("n1=h1:7400"), Member.of("n2=h2:7400"), Member.of("n3=h3:7400"));

    @TempDir
    Path root;

    private final Snapshot snapshot = SavedTable.snapshot();

    @Test
    void aFolderThatIsUsedIsRefusedAndLeftAsItIs() throws IOException {
        Path theirs = Files.createDirectory(root.resolve("theirs"));
        Path file = Files.writeString(theirs.resolve("thesis.txt"), "forty years of work");
        Path node = root.resolve("node");
        Marker marker = Marker.fresh("n1");
        marker.write(node);

        for (Path used : List.of(theirs, node, file)) {
            assertThatThrownBy(() -> prepare(used, "n1", 0))
                    .isInstanceOf(NodeRefusal.class)
                    .hasMessageContaining("is not empty: a snapshot is restored into an empty one");
        }
        assertThat(Files.readString(file)).isEqualTo("forty years of work");
        assertThat(Marker.read(node, "n1")).isEqualTo(marker);
    }

    @Test
    void theMarkerNeedsABuildThatKnowsTheLevelAndNamesNoQuorumYet() throws IOException {
        Marker marker = prepared("n1", 5);

        assertThat(marker.level()).isEqualTo(1);
        assertThat(marker.roll().isFormatted()).isFalse();
        assertThat(Seed.of(marker.disk())).isNotEmpty();
        assertThatThrownBy(() -> Marker.read(root.resolve("n1"), "n2")).isInstanceOf(NodeRefusal.class);
    }

    @Test
    void theWaitIsAsLongAsTheLongestLeaseThatIsKnown() {
        assertThat(Restoring.longestLease(snapshot)).isEqualTo(Duration.ofSeconds(40));
        assertThat(Restoring.longestLease(new Snapshot(snapshot.header(), List.of("LEVEL\t1"))))
                .isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void membersThatWereRestoredAlikeBeginTogetherAndOthersAreRefused() throws IOException {
        Marker one = prepared("n1", 5);
        Map<String, Roll> alike = rolls(prepared("n2", 5), prepared("n3", 5));
        Map<String, Roll> otherwise = new HashMap<>(alike);
        otherwise.put("n2", Marker.fresh("n2", seed(6).disk()).roll());
        Map<String, Roll> forgotten = new HashMap<>(alike);
        forgotten.put("n3", Marker.fresh("n3").roll());

        assertThat(Admission.of(one, MEMBERS, alike)).isInstanceOf(Admission.Admitted.class);
        assertThat(Admission.of(one, MEMBERS, Map.of("n2", alike.get("n2")))).isInstanceOf(Admission.Wait.class);
        assertRefused(Admission.of(one, MEMBERS, otherwise), "node n2 from another or otherwise: restore all nodes");
        assertRefused(Admission.of(one, MEMBERS, forgotten), "and node n3 was not: restore all nodes");
        assertRefused(
                Admission.of(Marker.fresh("n2"), MEMBERS, rolls(one, prepared("n3", 5))),
                "was restored from a snapshot, and this one was not");
    }

    @Test
    void aNodeOfTheLostQuorumKeepsTheNewOneFromBeginning() throws IOException {
        Roll lost = new Roll(
                "lost",
                Map.of(
                        "n1", new Roll.Disk(1, "d1", 40),
                        "n2", new Roll.Disk(1, "d2", 40),
                        "n3", new Roll.Disk(1, "d3", 40)));

        assertRefused(
                Admission.of(prepared("n1", 5), MEMBERS, Map.of("n3", lost)),
                "node n3 is still of the quorum lost: stop that one, and restore it, too");
        assertRefused(
                Admission.of(
                        new Marker("n3", "d3", lost),
                        MEMBERS,
                        Map.of("n1", prepared("n1", 5).roll().inCluster("new"))),
                "this disk belongs to the quorum lost, and node n1 to new");
    }

    @Test
    void twoRestoresOfOneFileAreTwoQuorums() throws IOException {
        Roll first = begun(prepared("n1", 5), prepared("n2", 5), prepared("n3", 5));
        Roll second = begun(prepared("n1", 5), prepared("n2", 5), prepared("n3", 5));

        assertThat(first.cluster()).isNotEqualTo(second.cluster());
    }

    @Test
    void aSeedThatIsGoneOrChangedOrOfAnotherDiskIsRefused() throws IOException, InterruptedException {
        Marker marker = prepared("n1", 5);
        Path seed = root.resolve("n1").resolve("seed");
        String whole = Files.readString(seed);

        Files.writeString(seed, whole.replace("two ledgers", "two letters"));
        assertThatThrownBy(() -> seeding(marker, true))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("is not as it was written");
        Files.writeString(seed, whole.replace("SEED\t5\t", "SEED\t6\t"));
        assertThatThrownBy(() -> seeding(marker, true))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("empty the folder, and restore it once more");
        Files.delete(seed);
        assertThatThrownBy(() -> seeding(marker, true))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("that lies there no more or is another");
        Files.writeString(seed, whole);
        assertThatThrownBy(() -> seeding(Marker.fresh("n1"), true)).isInstanceOf(NodeRefusal.class);
        assertThat(seeding(marker, true).isDue()).isTrue();
    }

    @Test
    void theLogIsMadeOnlyAfterTheWaitAndAStartThatWasCutOffMakesItAnew() throws IOException, InterruptedException {
        Marker marker = prepared("n1", 5);
        Path folder = root.resolve("n1");
        Path log = folder.resolve("log");
        Files.writeString(
                Files.createDirectories(folder.resolve("log.next").resolve(CLUSTER))
                        .resolve("half"),
                "written");
        try (SystemTimeline timeline = new SystemTimeline()) {
            long began = timeline.nanos();
            List<String> said = new ArrayList<>();
            Seeding seeding = Seeding.of(settings("n1"), marker, true, timeline, said::add);

            seeding.makeLog(CLUSTER, log);

            assertThat(timeline.nanos() - began).isGreaterThanOrEqualTo(QUIET.toNanos());
            assertThat(said.get(0)).contains("until every lease of the lost quorum is over");
        }
        assertThat(Files.exists(folder.resolve("seed"))).isFalse();
        assertThat(Files.exists(log.resolve(CLUSTER).resolve("half"))).isFalse();
        assertThat(begunWith(log).saved()).isEqualTo(new Restoration(snapshot, CLUSTER, 5).lines());
    }

    /** It is cut off between the log's name and the seed's end. */
    @Test
    void aLogThatIsThereIsNeverMadeAnew() throws IOException, InterruptedException {
        Marker marker = prepared("n1", 5);
        Path seed = root.resolve("n1").resolve("seed");
        String whole = Files.readString(seed);
        seeding(marker, true).makeLog(CLUSTER, root.resolve("n1").resolve("log"));
        Files.writeString(seed, whole);

        assertThat(seeding(marker, false).isDue()).isFalse();
        assertThat(Files.exists(seed)).isFalse();
    }

    private SharedTable begunWith(Path log) throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                RaftStorage storage = RaftStorage.newBuilder()
                        .setDirectory(log.resolve(CLUSTER).toFile())
                        .setOption(StartupOption.RECOVER)
                        .setLogCorruptionPolicy(CorruptionPolicy.EXCEPTION)
                        .setStorageFreeSpaceMin(SizeInBytes.ONE_KB)
                        .build()) {
            storage.initialize();
            assertThat(storage.getMetadataFile().getMetadata().getTerm()).isEqualTo(1);
            SharedTable table = new SharedTable(timeline);
            TableMachine machine = new TableMachine(table, () -> {}, Notices.NONE);
            machine.getStateMachineStorage().init(storage);
            machine.reinitialize();
            assertThat(machine.getLastAppliedTermIndex().getIndex())
                    .isEqualTo(snapshot.header().index());
            return table;
        }
    }

    private Seeding seeding(Marker marker, boolean isNew) throws IOException {
        try (SystemTimeline timeline = new SystemTimeline()) {
            return Seeding.of(settings("n1"), marker, isNew, timeline, said -> {});
        }
    }

    private NodeSettings settings(String name) {
        return new NodeSettings(
                MEMBERS,
                name,
                root.resolve(name),
                Tokens.none(),
                Optional.empty(),
                NodeSettings.Coming.AS_IT_IS,
                Duration.ofSeconds(1),
                100);
    }

    private Marker prepared(String name, long lift) throws IOException {
        Path folder = root.resolve(name);
        if (Files.exists(folder)) {
            Files.move(folder, root.resolve(name + "-before-" + System.identityHashCode(new Object())));
        }
        prepare(folder, name, lift);
        return Marker.read(folder, name);
    }

    private void prepare(Path folder, String name, long lift) throws IOException {
        Restoring.prepare(folder, name, snapshot, lift, QUIET);
    }

    private Seed seed(long lift) {
        return new Seed(lift, QUIET, snapshot);
    }

    private static Roll begun(Marker one, Marker two, Marker three) {
        return ((Admission.Admitted) Admission.of(one, MEMBERS, rolls(two, three))).roll();
    }

    private static Map<String, Roll> rolls(Marker... others) {
        Map<String, Roll> rolls = new HashMap<>();
        for (Marker other : others) {
            rolls.put(other.member(), other.roll());
        }
        return rolls;
    }

    private static void assertRefused(Admission admission, String why) {
        assertThat(admission).isInstanceOf(Admission.Refused.class);
        assertThat(((Admission.Refused) admission).why()).contains(why);
    }
}
