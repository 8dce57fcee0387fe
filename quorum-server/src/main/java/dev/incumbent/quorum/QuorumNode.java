package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Endpoint.Answer;
import dev.incumbent.time.SystemTimeline;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One node of the quorum, running until it is closed. */
public final class QuorumNode implements Closeable {
    private final SystemTimeline timeline;
    private final Endpoint endpoint;
    private final Replica replica;

    private QuorumNode(SystemTimeline timeline, Endpoint endpoint, Replica replica) {
        this.timeline = timeline;
        this.endpoint = endpoint;
        this.replica = replica;
    }

    /** Starts a node. */
    public static QuorumNode start(NodeSettings settings) throws IOException {
        SystemTimeline timeline = new SystemTimeline();
        SharedTable table = new SharedTable(timeline);
        Endpoint endpoint = Endpoint.listen(settings.self(), settings.token());
        List<Replica.Peer> peers = settings.members().stream().map(member -> new Replica.Peer(member, "0")).toList();
        Replica.Peer self = new Replica.Peer(settings.self(), "0");
        boolean isNew = !Files.exists(settings.folder().resolve("raft"));
        UUID cluster = UUID.nameUUIDFromBytes("incumbent".getBytes(StandardCharsets.UTF_8));
        Replica replica = Replica.start(
                new Replica.Settings(
                        cluster, self, peers, settings.folder().resolve("raft"), isNew, settings.snapshotEvery()),
                table,
                timeline);
        Calls calls = new Calls(replica);
        Watches watches = new Watches(replica, table, timeline);
        endpoint.answer(Words.CALLS, asked -> calls.answer(asked.body(), asked.withinMillis())
                .thenApply(text -> new Answer(200, text)));
        endpoint.answer(Words.WATCH, asked -> watches.answer(asked.body(), asked.withinMillis())
                .thenApply(text -> new Answer(text.startsWith(Words.LATER) || text.startsWith(Words.ELSEWHERE) ? 503 : 200, text)));
        endpoint.answer("/v1/status", asked -> Answer.now(200, "{\"leads\":" + replica.isLeading() + "}\n"));
        return new QuorumNode(timeline, endpoint, replica);
    }

    Optional<String> leader() {
        return replica.leader();
    }

    @Override
    public void close() throws IOException {
        endpoint.close();
        replica.close();
        timeline.close();
    }
}
