package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table of its own on a server that others use, too, and a wire to it. */
final class DynamoDbFenceRig implements FenceRig {
    private static final Duration BOUND = Duration.ofSeconds(5);

    private final DynamoDbServer server;
    private final String table = "sink-" + UUID.randomUUID();
    private final TcpProxy wire;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final Queue<DynamoDbWriter> writers = new ConcurrentLinkedQueue<>();
    private final DynamoDbFence fence;

    DynamoDbFenceRig(DynamoDbServer server) {
        this.server = server;
        this.wire = TcpProxy.to(server.port());
        this.fence = DynamoDbFence.at(url(), BOUND);
        install();
    }

    private String url() {
        return DynamoDbServer.uri(table, wire.port());
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.PUT_BACK, Capability.ADMITS_AT_COMMIT, Capability.PLANTED_MARKS, Capability.ONE_ADMISSION);
    }

    @Override
    public Sink open(Duration bound) {
        return new DynamoDbSinkProvider().open(url(), bound);
    }

    @Override
    public void install() {
        new DynamoDbSinkProvider().install(url());
    }

    @Override
    public Writer begin() {
        DynamoDbWriter writer = new DynamoDbWriter(fence.begin(), table);
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        DynamoDbTransaction ended = fence.begin();
        ended.admit(election, token);
        ended.commit();
        ended.admit(election, token);
    }

    @Override
    public List<String> written() {
        try (Opened reader = Opened.of(url(), BOUND)) {
            return reader
                    .client()
                    .queryPaginator(query -> query.tableName(table)
                            .consistentRead(true)
                            .keyConditionExpression("pk = :pk")
                            .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(DynamoDbWriter.LINES))))
                    .items()
                    .stream()
                    .flatMap(item -> Optional.ofNullable(item.get("line")).stream())
                    .map(AttributeValue::s)
                    .toList();
        }
    }

    @Override
    public void restart() {
        writers.forEach(DynamoDbWriter::rollBack);
        wire.reset();
    }

    @Override
    public Runnable backUp() {
        TemporaryFolder folder = TemporaryFolder.create("dynamodb-copy");
        owned.add(folder);
        synchronized (server) {
            server.copyDataTo(folder.resolve("data"));
        }
        return () -> {
            DynamoDbServer restored = DynamoDbServer.startOn(folder.resolve("data"));
            owned.add(restored);
            wire.leadTo(restored.port());
            install();
        };
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        put(MarkItems.mark(election), AttributeValue.fromS("seven"));
    }

    @Override
    public void plantForeign(String name) {
        put(MarkItems.key(MarkItems.MARKS, name), AttributeValue.fromN("0"));
        put(MarkItems.key("f#" + name, "mark"), AttributeValue.fromN("7"));
    }

    private void put(Map<String, AttributeValue> key, AttributeValue token) {
        Map<String, AttributeValue> item = new HashMap<>(key);
        item.put(MarkItems.TOKEN, token);
        item.put(MarkItems.OWNER, AttributeValue.fromS("candidate:x"));
        try (Opened writer = Opened.of(url(), BOUND)) {
            writer.client().putItem(put -> put.tableName(table).item(item));
        }
    }

    @Override
    public void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(40);
    }

    @Override
    public void close() {
        fence.close();
        wire.close();
        for (AutoCloseable one : owned) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
