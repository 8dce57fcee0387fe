package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table of its own on a server that all share, and a wire of its own for each client; time is real. */
final class DynamoDbRig implements WiredRig {
    private static final Duration INSTALLING = Duration.ofSeconds(20);

    private final Wires wires = new Wires();
    private final String table = "t-" + UUID.randomUUID();
    private final DynamoDbServer server;
    private final Duration requestTimeout;
    private final Opened hand;
    private Optional<TemporaryFolder> saved = Optional.empty();
    private Optional<DynamoDbServer> restored = Optional.empty();

    DynamoDbRig(DynamoDbServer server, Duration requestTimeout) {
        this.server = server;
        this.requestTimeout = requestTimeout;
        new DynamoDbCoordinatorProvider().install(server.uri(table), INSTALLING);
        this.hand = Opened.of(DynamoDbUri.parse(server.uri(table)), wires.timeline(), INSTALLING);
    }

    String table() {
        return table;
    }

    DynamoDbServer server() {
        return server;
    }

    /** For what other programs do to the table. */
    DynamoDbClient hand() {
        return hand.client();
    }

    /** The item as it is stored; empty where there is none. */
    Map<String, AttributeValue> stored(Item item) {
        return hand().getItem(get -> get.tableName(table).key(item.key()).consistentRead(true))
                .item();
    }

    void set(Item item, String attribute, AttributeValue value) {
        hand().updateItem(update -> update.tableName(table)
                .key(item.key())
                .updateExpression("SET #a = :v")
                .expressionAttributeNames(Map.of("#a", attribute))
                .expressionAttributeValues(Map.of(":v", value)));
    }

    @Override
    public Wires wires() {
        return wires;
    }

    @Override
    public Coordinator connect() {
        return connect(Mode.CREATE);
    }

    Coordinator connect(Mode mode) {
        Coordinator client = wires.connect(
                restored.orElse(server).port(), wire -> open(DynamoDbServer.uri(table, wire.port()), mode));
        warm(client);
        return client;
    }

    /** The first request of a JVM takes long. */
    private static void warm(Coordinator client) {
        for (int tries = 1; ; tries++) {
            try {
                client.elections("").toCompletableFuture().join();
                return;
            } catch (CompletionException slow) {
                if (tries == 10) {
                    throw slow;
                }
            }
        }
    }

    Coordinator open(String uri, Mode mode) {
        return new DynamoDbCoordinatorProvider().open(uri, timeline(), requestTimeout, mode);
    }

    /** Closed with the rig. */
    Coordinator remembered(Coordinator client) {
        return wires.connect(server.port(), unused -> client);
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return requestTimeout.multipliedBy(3);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    @Override
    public void backUp() {
        TemporaryFolder copy = TemporaryFolder.create("dynamodb-copy");
        synchronized (server) {
            server.copyDataTo(copy.resolve("data"));
        }
        saved = Optional.of(copy);
    }

    /** Where the clients are led, a server stands that knows what was saved and no more. */
    @Override
    public void restore() {
        DynamoDbServer other = DynamoDbServer.startOn(saved.orElseThrow().resolve("data"));
        restored = Optional.of(other);
        wires.leadTo(other.port());
    }

    @Override
    public void plantForeign(String name) {
        set(Item.of(Item.INDEX, name), Item.RECORDED, Item.text("foreign"));
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        Item record = Item.record(election);
        set(record, Item.RECORD, Item.text("{\"v\":2}"));
        set(record, Item.REVISION, Item.text("unreadable-" + UUID.randomUUID()));
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        Item queue = Item.of("e#" + name, "queue");
        set(Item.of(Item.INDEX, name), "planted", Item.text("yes"));
        set(queue, Item.PLACE_OF + "planted", Item.number(1));
        set(queue, Item.LEASE_OF + "planted", Item.text(lease.value()));
        set(queue, Item.CANDIDATE + "planted", Item.text(text));
    }

    @Override
    public void close() {
        wires.close();
        restored.ifPresent(DynamoDbServer::close);
        saved.ifPresent(TemporaryFolder::close);
        hand.close();
    }
}
