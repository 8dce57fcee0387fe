package dev.incumbent.quorum;

import dev.incumbent.model.LeaderRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.FileUtils;
import org.apache.ratis.util.SizeInBytes;

/** Prepares a node's empty folder for a new quorum that begins with a snapshot. */
public final class Restoring {
    /** By how much terms are lifted unless it is said: more than are ever granted between a snapshot and its restore. */
    public static final long LIFT = 1_000_000;

    /** No mark is lifted further by one raise; a freeze or thaw needs some of it. */
    public static final long MOST_LIFT = 1L << 31;

    private static final Duration LEAST_WAIT = Duration.ofSeconds(15);
    private static final String NEXT_LOG = "log.next";
    /** Of the entry that the snapshot stands for; those of the new quorum come later. */
    private static final long TERM = 1;

    private Restoring() {}

    /** Until every lease of the lost quorum is over, as far as the snapshot knows how long they are. */
    public static Duration longestLease(Snapshot snapshot) {
        Duration longest = LEAST_WAIT;
        for (LeaseTable.Lease lease : snapshot.table().leases()) {
            longest = longer(longest, Duration.ofMillis(lease.millis()));
        }
        for (Snapshot.Election election : snapshot.elections()) {
            longest = longer(
                    longest, election.record().map(LeaderRecord::leaseLength).orElse(Duration.ZERO));
        }
        return longest;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /**
     * Makes the folder of a node that begins with that snapshot. Throws {@link NodeRefusal} where the folder is used.
     *
     * @param lift by how much each term is lifted
     * @param quiet how long the node stays out of the quorum after its start
     */
    public static void prepare(Path folder, String member, Snapshot snapshot, long lift, Duration quiet)
            throws IOException {
        if (Files.exists(folder) && !isEmpty(folder)) {
            throw new NodeRefusal("the folder " + folder + " is not empty: a snapshot is restored into an empty one");
        }
        Files.createDirectories(folder);
        Seed seed = new Seed(lift, quiet, snapshot);
        seed.write(folder);
        Marker marker = Marker.fresh(member, seed.disk());
        marker.boundTo(snapshot.header().level()).write(folder);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (var files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    /** Makes a node's log of its seed; the log bears its name only once it is whole and durable. */
    static void makeLog(Path folder, Seed seed, String cluster, Path log) throws IOException {
        Path next = folder.resolve(NEXT_LOG);
        FileUtils.deleteFully(next);
        try (RaftStorage storage = formatted(Files.createDirectories(next.resolve(cluster)))) {
            storage.getMetadataFile().persist(RaftStorageMetadata.valueOf(TERM, RaftPeerId.valueOf("")));
            SimpleStateMachineStorage snapshots = new SimpleStateMachineStorage();
            snapshots.init(storage);
            TermIndex at = TermIndex.valueOf(TERM, seed.snapshot().header().index());
            TableMachine.write(snapshots, at, seed.restoration(cluster).lines());
        }
        Durably.sync(next.resolve(cluster));
        Durably.sync(next);
        Durably.rename(next, log);
    }

    private static RaftStorage formatted(Path group) throws IOException {
        RaftStorage storage = RaftStorage.newBuilder()
                .setDirectory(group.toFile())
                .setOption(StartupOption.FORMAT)
                .setLogCorruptionPolicy(CorruptionPolicy.EXCEPTION)
                .setStorageFreeSpaceMin(SizeInBytes.ONE_KB)
                .build();
        storage.initialize();
        return storage;
    }
}
