package dev.incumbent.fence.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.MarksRead;
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
import dev.incumbent.servers.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A raise that another one meets halfway, answers that are lost or come in parts, and what a commit says of them. */
@Tag("patient")
class BetweenRequestsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final DynamoDbServer SERVER = started();

    private final String url = SERVER.uri("sink");
    private final DynamoDbSinkProvider provider = new DynamoDbSinkProvider();
    private final String fresh = UUID.randomUUID().toString();
    private final ElectionName billing = new ElectionName("billing/" + fresh);
    private final ElectionName reports = new ElectionName("reports/" + fresh);
    private final Map<String, AttributeValue> line = MarkItems.key("ledger", fresh);
    private final Opened opened = Opened.of(url, BOUND);
    private final Meddled meddled = Meddled.with(opened);
    private final Sink sink = new DynamoDbSink(meddled.in(opened), BOUND);
    private final Sink other = provider.open(url, BOUND);

    private static DynamoDbServer started() {
        DynamoDbServer.provideCredentials();
        DynamoDbServer server = DynamoDbServer.start();
        new DynamoDbSinkProvider().install(server.uri("sink"));
        return server;
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @AfterEach
    void close() {
        sink.close();
        other.close();
    }

    /** The mark that stood, the one that comes between, and the one that is asked for then. */
    @ParameterizedTest
    @CsvSource({"0, 9 bert, 8 anna", "0, 8 bert, 8 anna", "7 anna, 9 anna, 8 anna", "7 anna, 8 bert, 8 anna"})
    void aRaiseThatAnotherOvertakesIsDecidedAnew(String before, String between, String asked) {
        if (!before.equals("0")) {
            join(other.raise(billing, mark(before)));
        }
        beforeTheMarkIsWritten(() -> join(other.raise(billing, mark(between))));

        assertThat(join(sink.raise(billing, mark(asked)))).isEqualTo(new Raise.Refused(mark(between)));

        assertThat(join(other.marks(Set.of(billing))).marks()).isEqualTo(Map.of(billing, mark(between)));
    }

    /** As a store that was put back lets it come about: the same number, of another. */
    @Test
    void aRaiseOverAMarkThatChangedItsOwnerMeanwhileIsDecidedAnew() {
        join(other.raise(billing, mark("7 anna")));
        beforeTheMarkIsWritten(() -> setOwner("freeze:ops"));

        Raise raise = join(sink.raise(billing, mark("8 anna")));

        assertThat(raise).isInstanceOf(Raise.Refused.class);
    }

    /** Dynoxide serves every read alike. */
    @Test
    void everyReadAsksForWhatWasWrittenLast() {
        join(sink.raise(billing, mark("7 anna")));
        join(sink.marks());

        assertThat(meddled.asked())
                .hasAtLeastOneElementOfType(GetItemRequest.class)
                .hasAtLeastOneElementOfType(QueryRequest.class)
                .hasAtLeastOneElementOfType(BatchGetItemRequest.class)
                .noneMatch(it -> it instanceof BatchGetItemRequest batch
                        && batch.requestItems().values().stream().anyMatch(keys -> !keys.consistentRead()))
                .noneMatch(it -> it instanceof GetItemRequest get && !get.consistentRead())
                .noneMatch(it -> it instanceof QueryRequest query && !query.consistentRead());
    }

    /** Dynoxide asks for no rights: a right is named as its request is. */
    @Test
    void theRightsOfALeaderOnThePageAreThoseOfItsRequests() throws IOException {
        join(sink.id());
        join(sink.raise(billing, mark("7 anna")));
        join(sink.raise(billing, mark("8 anna")));
        join(sink.marks());
        join(sink.marks(Set.of(billing, reports)));

        String row = Files.readString(Path.of("..", "..", "docs", "sinks", "dynamodb.md"))
                .lines()
                .filter(line -> line.startsWith("| a leader |"))
                .findFirst()
                .orElseThrow();
        assertThat(Pattern.compile("`(\\w+)`").matcher(row).results().map(right -> right.group(1) + "Request"))
                .containsExactlyInAnyOrderElementsOf(meddled.asked().stream()
                        .map(request -> request.getClass().getSimpleName())
                        .collect(Collectors.toSet()));
    }

    @Test
    void marksOfSeveralPagesAreReadToTheirEnd() {
        join(other.raise(billing, mark("7 anna")));
        join(other.raise(reports, mark("3 bert")));
        meddled.meddle((request, real) -> real.apply(
                request instanceof QueryRequest query
                        ? query.toBuilder().limit(1).build()
                        : request));

        assertThat(join(sink.marks()).marks()).containsKeys(billing, reports);
    }

    @Test
    void theMarksOfAHundredElectionsAreReadByTwoRequests() {
        join(other.raise(billing, mark("7 anna")));
        Set<ElectionName> asked = new HashSet<>(Set.of(billing));
        for (int i = 1; i < 100; i++) {
            asked.add(new ElectionName("never/" + i));
        }

        assertThat(join(sink.marks(asked))).isEqualTo(MarksRead.of(Map.of(billing, mark("7 anna"))));

        assertThat(meddled.asked()).hasSize(2).hasOnlyElementsOfType(BatchGetItemRequest.class);
    }

    @Test
    void whatDynamoDbLeavesForLaterIsAskedForAgain() {
        join(other.raise(billing, mark("7 anna")));
        meddled.meddle((request, real) -> meddled.asked().size() == 1 && request instanceof BatchGetItemRequest batch
                ? BatchGetItemResponse.builder()
                        .responses(Map.of())
                        .unprocessedKeys(batch.requestItems())
                        .build()
                : real.apply(request));

        assertThat(join(sink.marks(Set.of(billing))).marks()).isEqualTo(Map.of(billing, mark("7 anna")));

        assertThat(meddled.asked()).hasSize(2);
    }

    /** Such as a coordinator's. */
    @Test
    void aTableWithoutASinkTakesNoMarkAndHasNone() {
        String bare = SERVER.uri("bare");
        provider.install(bare);
        try (Opened hand = Opened.of(bare, BOUND);
                Sink none = provider.open(bare, BOUND)) {
            hand.client().deleteItem(delete -> delete.tableName("bare").key(MarkItems.sink()));

            for (CompletionStage<?> call :
                    List.of(none.raise(billing, mark("7 anna")), none.marks(), none.marks(Set.of()))) {
                assertThatThrownBy(() -> join(call))
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining("is not installed as a sink: incumbent fence install --sink URL");
            }
        }
    }

    @Test
    void aCommitOfTwoTokensNamesTheOneThatIsStale() throws Exception {
        join(other.raise(billing, mark("7 anna")));
        join(other.raise(reports, mark("4 bert")));
        DynamoDbTransaction transaction = transaction();
        transaction.admit(billing, new FencingToken(7));
        transaction.admit(reports, new FencingToken(3));

        assertThatThrownBy(transaction::commit)
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("stale token 3 of " + reports + ": the mark is 4");
        assertThat(isWritten()).isFalse();
    }

    @Test
    void anElectionIsAdmittedOnceToATransaction() throws Exception {
        DynamoDbTransaction transaction = transaction();
        transaction.admit(billing, new FencingToken(7));

        assertThatThrownBy(() -> transaction.admit(billing, new FencingToken(8)))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("was admitted to this transaction before");
    }

    @Test
    void aCommitWhoseAnswerIsLostMayHaveWrittenAndIsSentOnce() throws Exception {
        DynamoDbTransaction transaction = admitted();
        int before = meddled.asked().size();
        meddled.meddle((request, real) -> {
            DynamoDbResponse unused = real.apply(request);
            throw SdkClientException.create("the answer was lost");
        });

        assertThatThrownBy(transaction::commit)
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("did not answer: the answer was lost");
        assertThat(isWritten()).isTrue();
        assertThat(meddled.asked()).hasSize(before + 1);
    }

    @Test
    void whatIsLostOnTheWireIsNotSentAgain() throws Exception {
        join(other.raise(billing, mark("7 anna")));
        try (TcpProxy wire = TcpProxy.to(SERVER.port());
                DynamoDbFence fence = DynamoDbFence.at(DynamoDbServer.uri("sink", wire.port()), BOUND)) {
            DynamoDbTransaction transaction = fence.begin().put("sink", line);
            transaction.admit(billing, new FencingToken(7));
            wire.loseNextAnswer();

            assertThatThrownBy(transaction::commit)
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("did not answer");
            assertThat(isWritten()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "InternalServerError, 500, true",
        "ServiceUnavailable, 503, true",
        "ThrottlingException, 400, false",
        "AccessDeniedException, 400, false"
    })
    void anErrorSaysWhetherTheCommitMayHaveWritten(String code, int status, boolean mayHaveWritten) throws Exception {
        DynamoDbTransaction transaction = admitted();
        meddled.meddle((request, real) -> {
            throw DynamoDbException.builder()
                    .statusCode(status)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode(code)
                            .errorMessage("as scripted")
                            .build())
                    .build();
        });

        assertThatThrownBy(transaction::commit)
                .isInstanceOf(mayHaveWritten ? SinkException.class : NotAdmittedException.class)
                .hasMessageContaining("as scripted");
    }

    private void beforeTheMarkIsWritten(Runnable deed) {
        AtomicBoolean isDone = new AtomicBoolean();
        meddled.meddle((request, real) -> {
            boolean isWrite =
                    request instanceof UpdateItemRequest update && update.key().equals(MarkItems.mark(billing));
            if (isWrite && !isDone.getAndSet(true)) {
                deed.run();
            }
            return real.apply(request);
        });
    }

    private void setOwner(String owner) {
        opened.client()
                .updateItem(update -> update.tableName(opened.table())
                        .key(MarkItems.mark(billing))
                        .updateExpression("SET #o = :o")
                        .expressionAttributeNames(Map.of("#o", MarkItems.OWNER))
                        .expressionAttributeValues(Map.of(":o", AttributeValue.fromS(owner))));
    }

    private DynamoDbTransaction transaction() {
        return new DynamoDbTransaction(meddled.in(opened)).put(opened.table(), line);
    }

    private DynamoDbTransaction admitted() throws FenceException {
        join(other.raise(billing, mark("7 anna")));
        DynamoDbTransaction transaction = transaction();
        transaction.admit(billing, new FencingToken(7));
        return transaction;
    }

    private boolean isWritten() {
        return opened.client()
                .getItem(get -> get.tableName(opened.table()).key(line).consistentRead(true))
                .hasItem();
    }

    private static Mark mark(String text) {
        String[] parts = text.split(" ", 2);
        return new Mark(
                new FencingToken(Long.parseLong(parts[0])),
                MarkOwner.ofCandidate(new CandidateId(parts[1] + "@host-1-x")));
    }

    private static <T> T join(CompletionStage<T> call) {
        try {
            return call.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SinkException known ? known : e;
        }
    }
}
