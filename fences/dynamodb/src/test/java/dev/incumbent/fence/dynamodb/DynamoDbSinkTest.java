package dev.incumbent.fence.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.FreePorts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** What is particular to the sink in DynamoDB. One at a time: one of them kills the server. */
@Execution(ExecutionMode.SAME_THREAD)
class DynamoDbSinkTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final Map<String, AttributeValue> LINE = MarkItems.key("ledger", "1");
    private static DynamoDbServer server;

    private final DynamoDbSinkProvider provider = new DynamoDbSinkProvider();
    private String table = "";

    @BeforeAll
    static void start() {
        DynamoDbServer.provideCredentials();
        server = DynamoDbServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        table = test.getTestMethod().orElseThrow().getName();
    }

    private String url() {
        return server.uri(table);
    }

    @Test
    void aCommitThatARaiseHasOvertakenWritesNothing() throws Exception {
        provider.install(url());
        raise(7);
        try (DynamoDbFence fence = DynamoDbFence.at(url(), BOUND)) {
            DynamoDbTransaction overtaken = fence.begin().put(table, LINE);
            overtaken.admit(BILLING, new FencingToken(7));

            raise(8);

            assertThatThrownBy(overtaken::commit)
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("stale token 7 of billing/closer: the mark is 8");
            assertThat(item(LINE)).isEmpty();
        }
    }

    @Test
    void aTransactionThatNobodyAdmittedIsRefused() {
        try (DynamoDbFence fence = DynamoDbFence.at(url(), BOUND)) {
            DynamoDbTransaction forgetful = fence.begin().put(table, LINE);

            assertThatThrownBy(forgetful::commit).isInstanceOf(NoTransactionException.class);
        }
    }

    @Test
    void aConditionOfTheWritesOwnThatRefusesIsNoStaleToken() throws Exception {
        provider.install(url());
        raise(7);
        try (DynamoDbFence fence = DynamoDbFence.at(url(), BOUND)) {
            DynamoDbTransaction refused = fence.begin()
                    .write(TransactWriteItem.builder()
                            .put(put -> put.tableName(table).item(LINE).conditionExpression("attribute_exists(pk)"))
                            .build());
            refused.admit(BILLING, new FencingToken(7));

            assertThatThrownBy(refused::commit)
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining("although no token was refused (None, ConditionalCheckFailed)");
            assertThat(item(LINE)).isEmpty();
        }
    }

    @Test
    @Tag("trial")
    void aMarkOutlivesTheServersDeath() throws Exception {
        provider.install(url());
        raise(7);

        server.kill();
        server.startAgain();

        try (Sink sink = provider.open(url(), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().get().marks()).isEqualTo(Map.of(BILLING, mark(7)));
        }
    }

    @Test
    void aMarkIsOneItemThatPeopleCanRead() throws Exception {
        provider.install(url());
        raise(7);

        assertThat(item(MarkItems.key("f#billing/closer", "mark")))
                .containsEntry("token", AttributeValue.fromN("7"))
                .containsEntry("owner", AttributeValue.fromS(mark(7).owner().text()));
    }

    @Test
    void aSinkThatIsNotInstalledSaysHowToInstallIt() {
        assertTold(url(), "has no table " + table + ": incumbent fence install --sink URL makes it");
    }

    @Test
    void aSourceOfCredentialsThatHangsDisturbsNoRaiseWhileTheLastAreValid() throws Exception {
        provider.install(url());
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AwsCredentialsProvider source = () -> {
            if (asked.getAndIncrement() > 0) {
                hangs.countDown();
                hang(end);
            }
            return AwsSessionCredentials.builder()
                    .accessKeyId("k")
                    .secretAccessKey("s")
                    .sessionToken("t")
                    .expirationTime(Instant.now().plusSeconds(50))
                    .build();
        };

        try (Sink sink = new DynamoDbSink(Opened.of(DynamoDbUri.parse(url()), BOUND, source), BOUND)) {
            while (hangs.getCount() > 0) { // credentials that end soon are asked for once a second
                sink.raise(BILLING, mark(7)).toCompletableFuture().get();
            }

            assertThat(sink.raise(BILLING, mark(8)).toCompletableFuture().get()).isEqualTo(new Raise.Raised(mark(8)));
        } finally {
            end.countDown();
        }
    }

    private static void hang(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aWrongPortIsToldInOneSentence() {
        int nobody = FreePorts.one();

        assertTold(DynamoDbServer.uri(table, nobody), "DynamoDB in http://127.0.0.1:" + nobody + " cannot be reached");
    }

    @Test
    void aUrlThatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> provider.open("dynamodb://ab", BOUND))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("the sink dynamodb://ab is not understood: 'ab' is no table's name");
    }

    @Test
    void aSecretInAUrlThatIsRefusedIsNotTold() {
        for (String url : List.of(
                "dynamodb://ledger?endpoint=http://ada:hush@127.0.0.1:8000",
                "dynamodb://ada:hush@ledger",
                "dynamodb://ledger?password=hush",
                "dynamodb://ledger?endpoint=http://ada:hush@host:80 00")) {
            assertThatThrownBy(() -> provider.open(url, BOUND))
                    .as(url)
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("the sink dynamodb://")
                    .hasMessageNotContaining("hush");
        }
    }

    private void assertTold(String url, String sentence) {
        try (Sink sink = provider.open(url, BOUND)) {
            assertThatThrownBy(() -> sink.marks().toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining(sentence);
        }
    }

    private Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        try (Opened reader = Opened.of(url(), BOUND)) {
            return reader.client()
                    .getItem(get -> get.tableName(table).key(key).consistentRead(true))
                    .item();
        }
    }

    private void raise(long token) throws Exception {
        try (Sink sink = provider.open(url(), BOUND)) {
            Raise raise = sink.raise(BILLING, mark(token)).toCompletableFuture().get();
            assertThat(raise).isEqualTo(new Raise.Raised(mark(token)));
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(new CandidateId("ada@host-1-" + token)));
    }
}
