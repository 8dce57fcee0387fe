package dev.incumbent.fence.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.DynamoDbServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What {@code docs/sinks/dynamodb.md} shows and promises: its request, as it stands there, its rights, and what a commit that met another says. */
@Tag("trial")
class DynamoDbPageTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName CLOSER = new ElectionName("billing/closer");

    private final DynamoDbServer server = started();
    private final String url = server.uri("app");
    private final Opened opened = Opened.of(url, BOUND);
    private final Meddled meddled = Meddled.with(opened);

    private static DynamoDbServer started() {
        DynamoDbServer.provideCredentials();
        return DynamoDbServer.start();
    }

    @AfterEach
    void stop() {
        opened.close();
        server.close();
    }

    /** Sent as AWS's command line sends it, by a client that has nothing of ours. */
    @Test
    void onlyTheTokenInForceWritesByTheRequestOfThePage() throws Exception {
        new DynamoDbSinkProvider().install(url);
        opened.client()
                .createTable(create -> create.tableName("ledger")
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("id")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("id")
                                .keyType(KeyType.HASH)
                                .build()));
        assertRefused(7, "");
        raise(7);

        assertRefused(6, "7");
        assertRefused(8, "7");
        HttpResponse<String> written = sent(7);

        assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
        assertThat(paid()).containsEntry("state", AttributeValue.fromS("paid"));
    }

    /** The first reason shows the mark in force, if there is one. */
    private void assertRefused(long token, String mark) throws Exception {
        HttpResponse<String> refused = sent(token);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        JsonNode said = new ObjectMapper().readTree(refused.body());
        assertThat(said.path("__type").asText()).endsWith("TransactionCanceledException");
        JsonNode first = said.path("CancellationReasons").path(0);
        assertThat(first.path("Code").asText()).isEqualTo("ConditionalCheckFailed");
        assertThat(first.path("Item").path("token").path("N").asText()).isEqualTo(mark);
        assertThat(paid()).isEmpty();
    }

    private HttpResponse<String> sent(long token) throws Exception {
        Matcher block = Pattern.compile("--transact-items \"(\\[.*?])\"\n```", Pattern.DOTALL)
                .matcher(page());
        assertThat(block.find()).isTrue();
        String items = block.group(1).replace("\\\"", "\"").replace("$INCUMBENT_TOKEN", Long.toString(token));
        String endpoint = url.substring(url.indexOf("http://"));
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(endpoint))
                                .header("X-Amz-Target", "DynamoDB_20120810.TransactWriteItems")
                                .header("Content-Type", "application/x-amz-json-1.0")
                                .header("X-Amz-Date", "20260101T000000Z")
                                .header(
                                        "Authorization",
                                        "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request,"
                                                + " SignedHeaders=host, Signature=none")
                                .POST(HttpRequest.BodyPublishers.ofString("{\"TransactItems\":" + items + "}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private Map<String, AttributeValue> paid() {
        return opened.client()
                .getItem(get -> get.tableName("ledger")
                        .key(Map.of("id", AttributeValue.fromS("4711")))
                        .consistentRead(true))
                .item();
    }

    /** Dynoxide asks for no rights: a right is named as its request is. */
    @Test
    void anInstallationNeedsTheRightsOfALeaderAndThoseThatThePageAdds() throws Exception {
        DynamoDbSinkProvider.install(meddled.in(opened));

        Set<String> added = rights("| `install`, in addition |");
        Set<String> asked = meddled.asked().stream()
                .map(request -> request.getClass().getSimpleName().replaceFirst("Request$", ""))
                .collect(Collectors.toSet());
        assertThat(asked).containsAll(added);
        asked.removeAll(added);
        assertThat(rights("| a leader |")).containsAll(asked);
    }

    private static Set<String> rights(String row) throws Exception {
        String line =
                page().lines().filter(one -> one.startsWith(row)).findFirst().orElseThrow();
        return Pattern.compile("`(\\w+)`")
                .matcher(line.substring(row.length()))
                .results()
                .map(right -> right.group(1))
                .collect(Collectors.toSet());
    }

    /** Dynoxide never refuses a transaction for that, so the answer is scripted. */
    @Test
    void aCommitThatMeetsAnotherTransactionHasSurelyWrittenNothing() throws Exception {
        DynamoDbSinkProvider.install(opened);
        raise(7);
        DynamoDbTransaction transaction =
                new DynamoDbTransaction(meddled.in(opened)).put("app", MarkItems.key("ledger", "1"));
        transaction.admit(CLOSER, new FencingToken(7));
        meddled.meddle((request, real) -> {
            throw TransactionCanceledException.builder()
                    .cancellationReasons(
                            CancellationReason.builder()
                                    .code("TransactionConflict")
                                    .build(),
                            CancellationReason.builder().code("None").build())
                    .build();
        });

        assertThatThrownBy(transaction::commit)
                .isInstanceOf(NotAdmittedException.class)
                .hasMessageContaining(
                        "refused the transaction although no token was refused (TransactionConflict, None)");
    }

    private void raise(long token) throws Exception {
        Mark mark = new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
        try (Sink sink = new DynamoDbSinkProvider().open(url, BOUND)) {
            assertThat(sink.raise(CLOSER, mark).toCompletableFuture().get()).isEqualTo(new Raise.Raised(mark));
        }
    }

    private static String page() throws Exception {
        return Files.readString(Path.of("..", "..", "docs", "sinks", "dynamodb.md"));
    }
}
