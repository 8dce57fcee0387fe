package dev.incumbent.benchmarks.fenced;

import dev.incumbent.fence.dynamodb.DynamoDbFence;
import dev.incumbent.fence.dynamodb.DynamoDbSinkProvider;
import dev.incumbent.fence.dynamodb.DynamoDbTransaction;
import dev.incumbent.servers.DynamoDbServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Each writer puts an item of its own by the SDK, which they share, over the same HTTP client as the fence's; behind the fence in our transaction. On Dynoxide, an emulator
 * whose store is a file of SQLite in memory, and whose speed says nothing of the service's.
 */
final class DynamoDbWrites {
    private static final String TABLE = "ledger";

    private DynamoDbWrites() {}

    static void contendOver(Rounds rounds) throws Exception {
        DynamoDbServer.provideCredentials();
        try (DynamoDbServer server = DynamoDbServer.start()) {
            String url = server.uri(TABLE);
            Raised.at(new DynamoDbSinkProvider(), url);
            try (DynamoDbClient client = client(server);
                    DynamoDbFence fence = DynamoDbFence.at(url, Raised.BOUND)) {
                List<Writer> unfenced = new ArrayList<>();
                List<Writer> fenced = new ArrayList<>();
                for (int i = 0; i < Rounds.WRITERS; i++) {
                    Map<String, AttributeValue> item = item(i);
                    unfenced.add(
                            () -> client.putItem(put -> put.tableName(TABLE).item(item)));
                    fenced.add(() -> put(fence, item));
                }
                rounds.hold(new Contest("Dynoxide in memory, our transaction", 0, unfenced, fenced));
            }
        }
    }

    private static DynamoDbClient client(DynamoDbServer server) {
        return DynamoDbClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(URI.create("http://127.0.0.1:" + server.port()))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    private static Map<String, AttributeValue> item(int writer) {
        return Map.of(
                "pk", AttributeValue.fromS("ledger-" + writer),
                "sk", AttributeValue.fromS("line"),
                "line", AttributeValue.fromS(Raised.LINE));
    }

    private static void put(DynamoDbFence fence, Map<String, AttributeValue> item) throws Exception {
        DynamoDbTransaction transaction = fence.begin();
        transaction.admit(Raised.ELECTION, Raised.TOKEN);
        transaction.put(TABLE, item);
        transaction.commit();
    }
}
