package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Nodes whose disks are full. */
final class FullDisks {
    /** Logged as any call, and then refused: no record bears that nonce. Ratis has a megabyte to spare in its log's file. */
    private static final String LONG_ENTRY =
            Line.of(Words.SWAP, "filler", "no-such-nonce", "another", "", "x".repeat(900_000));

    private FullDisks() {}

    /** Fills those disks, and hands entries to the quorum, one a second, until so many of these nodes have ended by it: many at once would fill the others, too. */
    static void fill(QuorumCluster cluster, List<Node> full, int ended) {
        full.forEach(node -> node.disk().orElseThrow().fill());
        BooleanSupplier haveEnded =
                () -> full.stream().filter(node -> !node.isRunning()).count() >= ended;
        Waiting.until("the end of " + ended + " nodes without room", () -> {
            cluster.nodes().stream().filter(Node::isRunning).findFirst().ifPresent(FullDisks::handLongEntry);
            return Waiting.within(Duration.ofSeconds(1), haveEnded);
        });
    }

    private static void handLongEntry(Node to) {
        try {
            String unused = Calling.post(to, LONG_ENTRY);
        } catch (UncheckedIOException itEnds) {
            // Or another has ended to which it was passed on.
        }
    }

    /** And waits for those that were still ending. */
    static void makeRoom(QuorumCluster cluster) {
        cluster.nodes().forEach(node -> node.disk().ifPresent(SmallDisk::makeRoom));
        Waiting.until(
                "nodes that have ended, or serve",
                () -> cluster.nodes().stream()
                        .allMatch(node ->
                                !node.isRunning() || !cluster.status(node).isEmpty()));
    }
}
