package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.failure;
import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What a call says where DynamoDB does not answer, or answers an error: whether it may have applied. The client's time is virtual. */
@Tag("patient")
class InDoubtTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final CandidateId ADA = new CandidateId("ada@host-1-a");
    private static final LeaderRecord FIRST = vacant(1, "n1");
    private static final LeaderRecord SECOND = vacant(2, "n2");

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(20));
    private final VirtualTimeline time = new VirtualTimeline();
    private final Meddled meddled = Meddled.with(rig);
    private final Coordinator client = meddled.coordinator(time, rig.requestTimeout(), Mode.CREATE);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        goOn.countDown();
        client.close();
        rig.close();
    }

    @Test
    void aWriteUnderWayWhenItsTimeEndsMayHaveApplied() {
        meddled.meddle((request, real) -> {
            stop();
            return real.apply(request);
        });

        CompletionStage<?> grant = client.grant(ADA, Duration.ofSeconds(5));
        endItsTime();

        assertThat(failure(grant).mayHaveApplied()).isTrue();
    }

    /** It was told as not applied. */
    @Test
    void aWriteWhoseTimeEndsWhileCredentialsAreFetchedIsNeverSent() {
        LeaseId lease = new LeaseId("0".repeat(32));
        meddled.beforeCredentials(this::stop);

        CompletionStage<?> late = client.keepAlive(lease);
        endItsTime();
        assertThat(failure(late).mayHaveApplied()).isFalse();
        goOn.countDown();
        CompletionStage<?> next = client.keepAlive(lease); // on the one thread that both have

        assertThat(failure(next)).isInstanceOf(LeaseLostException.class);
        assertThat(meddled.asked()).hasSize(1);
    }

    @Test
    void aWriteWhoseAnswerIsNotUnderstoodMayHaveApplied() {
        meddled.meddle((request, real) -> {
            throw new IllegalStateException("no such answer was expected");
        });

        assertThat(failure(client.grant(ADA, Duration.ofSeconds(5))).mayHaveApplied())
                .isTrue();
    }

    @Test
    void aSwapInDoubtStaysSoWhileItIsReadBack() {
        join(client.swap(BILLING, Revision.ABSENT, FIRST));
        meddled.meddle((request, real) -> {
            if (request instanceof GetItemRequest) {
                stop();
            }
            DynamoDbResponse unused = real.apply(request);
            throw SdkClientException.create("its answer was lost");
        });

        CompletionStage<Swap> swap = client.swap(BILLING, new Revision("n1"), SECOND);
        endItsTime();

        assertThat(failure(swap).mayHaveApplied()).isTrue();
    }

    @Test
    void aSwapInDoubtThatCannotBeReadBackStaysSo() {
        join(client.swap(BILLING, Revision.ABSENT, FIRST));
        meddled.meddle((request, real) -> {
            throw SdkClientException.create("nobody answers");
        });

        assertThat(failure(client.swap(BILLING, new Revision("n1"), SECOND)).mayHaveApplied())
                .isTrue();
    }

    /** It may yet arrive. */
    @Test
    void aSwapInDoubtThatIsNotThereStaysSo() {
        join(client.swap(BILLING, Revision.ABSENT, FIRST));
        meddled.meddle((request, real) -> {
            if (request instanceof UpdateItemRequest) {
                throw SdkClientException.create("lost on its way");
            }
            return real.apply(request);
        });

        assertThat(failure(client.swap(BILLING, new Revision("n1"), SECOND)).mayHaveApplied())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "InternalServerError, 500, true",
        "ServiceUnavailable, 503, true",
        "ThrottlingException, 400, false",
        "ProvisionedThroughputExceededException, 400, false"
    })
    void anErrorSaysWhetherTheWriteMayHaveApplied(String code, int status, boolean mayHaveApplied) {
        LeaseId lease = join(client.grant(ADA, Duration.ofSeconds(5))).id();
        meddled.meddle((request, real) -> {
            throw error(code, status);
        });

        CoordinatorException told = failure(client.keepAlive(lease));

        assertThat(told).isNotInstanceOf(LeaseLostException.class);
        assertThat(told).isNotInstanceOf(CoordinatorUnusableException.class);
        assertThat(told.mayHaveApplied()).isEqualTo(mayHaveApplied);
    }

    @Test
    void credentialsThatExpiredAreTold() {
        meddled.meddle((request, real) -> {
            throw error("ExpiredTokenException", 400);
        });

        assertThat(failure(client.read(Set.of(BILLING))))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("does not accept the AWS credentials (ExpiredTokenException)");
    }

    @Test
    void aRightThatIsMissingIsTold() {
        meddled.meddle((request, real) -> {
            throw error("AccessDeniedException", 400);
        });

        CoordinatorException denied = failure(client.grant(ADA, Duration.ofSeconds(5)));

        assertThat(denied)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("forbids it: as scripted");
        assertThat(denied.mayHaveApplied()).isFalse();
    }

    /** The client's time stands still, so that only the wait for credentials can end. */
    @Test
    void aSourceOfCredentialsThatHangsIsTold() {
        meddled.beforeCredentials(this::stop);
        try (Coordinator hasty = meddled.coordinator(time, Duration.ofMillis(200), Mode.CREATE)) {
            CoordinatorException late = failure(hasty.grant(ADA, Duration.ofSeconds(5)));

            assertThat(late)
                    .isNotInstanceOf(CoordinatorUnusableException.class)
                    .message()
                    .matches("there are no valid AWS credentials for .*: their source has not answered for \\d+ ms");
            assertThat(late.mayHaveApplied()).isFalse();
        }
    }

    /** Another transaction was at the same item: that is no record which stands there. */
    @Test
    void aCreationThatMetAnotherTransactionIsNoRefusal() {
        meddled.meddle((request, real) -> {
            throw TransactionCanceledException.builder()
                    .cancellationReasons(CancellationReason.builder()
                            .code("TransactionConflict")
                            .build())
                    .message("conflict")
                    .statusCode(400)
                    .build();
        });

        CoordinatorException told = failure(client.swap(BILLING, Revision.ABSENT, FIRST));

        assertThat(told.mayHaveApplied()).isFalse();
        assertThat(meddled.asked()).hasOnlyElementsOfType(TransactWriteItemsRequest.class);
    }

    @Test
    void aBatchThatFailsSpoilsNoOther() {
        Set<ElectionName> many =
                IntStream.range(0, 150).mapToObj(i -> new ElectionName("e" + i)).collect(Collectors.toSet());
        meddled.meddle((request, real) -> {
            if (keys(request) == 50) {
                throw SdkClientException.create("the answer was lost");
            }
            return real.apply(request);
        });

        var readings = join(client.read(many));

        assertThat(readings).containsOnlyKeys(many);
        assertThat(readings.values())
                .hasOnlyElementsOfTypes(Reading.Absent.class, Reading.Unread.class)
                .filteredOn(Reading.Unread.class::isInstance)
                .hasSize(50);
    }

    @Test
    void whereNoBatchIsAnsweredTheReadFails() {
        meddled.meddle((request, real) -> {
            throw SdkClientException.create("the answer was lost");
        });

        assertThat(failure(client.read(Set.of(BILLING)))).hasMessageContaining("broke off: the answer was lost");
    }

    /** Its requests end with it, so that none holds up those of later calls. */
    @Test
    void eachRequestMayTakeWhatIsLeftOfItsCall() {
        LeaseId lease = join(client.grant(ADA, Duration.ofSeconds(5))).id();
        Candidate ada = new Candidate(ADA, "ada", "");
        meddled.meddle((request, real) -> {
            time.advance(Duration.ofSeconds(4));
            return real.apply(request);
        });
        int before = meddled.asked().size();

        join(client.enlist(BILLING, new Enlisted(ada, lease, Instant.EPOCH, Set.of())));

        assertThat(meddled.asked().stream()
                        .skip(before)
                        .map(request -> request.overrideConfiguration().orElseThrow())
                        .map(bound -> bound.apiCallTimeout().orElseThrow().toSeconds()))
                .startsWith(20L, 16L, 12L);
    }

    @Test
    void aKeepAliveDoesNotWaitForOtherCalls() {
        LeaseId lease = join(client.grant(ADA, Duration.ofSeconds(5))).id();
        meddled.meddle((request, real) -> {
            if (request instanceof BatchGetItemRequest) {
                stop();
            }
            return real.apply(request);
        });
        for (int i = 0; i < 10; i++) {
            CompletionStage<?> unused = client.read(Set.of(BILLING));
        }

        join(client.keepAlive(lease).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS));
    }

    @Test
    void sixCallsAreUnderWayAtOnce() throws Exception {
        CountDownLatch six = new CountDownLatch(6);
        meddled.meddle((request, real) -> {
            six.countDown();
            await(goOn);
            return real.apply(request);
        });

        for (int i = 0; i < 6; i++) {
            CompletionStage<?> unused = client.read(Set.of(BILLING));
        }

        assertThat(six.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Those too that wait for a thread. */
    @Test
    void callsUnderWayEndWithTheirClientAtOnce() {
        meddled.meddle((request, real) -> {
            stop();
            return real.apply(request);
        });
        List<CompletionStage<?>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(client.grant(ADA, Duration.ofSeconds(5)));
        }
        await(asked);

        client.close();

        assertThat(calls)
                .allSatisfy(call -> assertThat(call.toCompletableFuture()).isCompletedExceptionally());
    }

    /** Whatever it waits for: nobody hears of it any more. */
    @Test
    void whatIsUnderWayIsInterruptedWhenItsClientCloses() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        meddled.meddle((request, real) -> {
            stop();
            if (Thread.currentThread().isInterrupted()) {
                interrupted.countDown();
            }
            throw SdkClientException.create("nobody waits for it");
        });
        CompletionStage<?> grant = client.grant(ADA, Duration.ofSeconds(5));
        await(asked);

        client.close();

        assertThat(failure(grant).mayHaveApplied()).isTrue();
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whereEachWriteWasRefusedNothingMayHaveApplied() {
        Enlisted bob = enlisted("bob@host-1-b");
        join(client.enlist(BILLING, bob));
        Enlisted ada = enlisted(ADA.value());
        refuseTheEntryAndStop();

        CompletionStage<?> enlist = client.enlist(BILLING, ada);
        endItsTime();

        assertThat(failure(enlist).mayHaveApplied()).isFalse();
    }

    /** The election was put into the index first. */
    @Test
    void whereOneWriteAppliedAndTheNextWasRefusedItMayHaveApplied() {
        Enlisted ada = enlisted(ADA.value());
        refuseTheEntryAndStop();

        CompletionStage<?> enlist = client.enlist(BILLING, ada);
        endItsTime();

        assertThat(failure(enlist).mayHaveApplied()).isTrue();
    }

    private Enlisted enlisted(String id) {
        LeaseId lease = join(client.grant(ADA, Duration.ofSeconds(5))).id();
        return new Enlisted(new Candidate(new CandidateId(id), id, ""), lease, Instant.EPOCH, Set.of());
    }

    /** The read after the refusal finds no answer. */
    private void refuseTheEntryAndStop() {
        AtomicBoolean isRefused = new AtomicBoolean();
        meddled.meddle((request, real) -> {
            if (request instanceof UpdateItemRequest update
                    && update.key().equals(Item.queue(BILLING).key())) {
                isRefused.set(true);
                throw ConditionalCheckFailedException.builder()
                        .message("as scripted")
                        .build();
            }
            if (isRefused.get()) {
                stop();
            }
            return real.apply(request);
        });
    }

    /** Told as dead it would be succeeded. */
    @Test
    void aRefusalThatCannotTellOfTheLeaseDoesNotCallItDead() {
        LeaseId lease = join(client.grant(ADA, Duration.ofSeconds(5))).id();
        Candidate ada = new Candidate(ADA, "ada", "");
        LeaderRecord led = LeaderRecord.EMPTY
                .claimedBy(1, ada, lease, Duration.ofSeconds(5), Instant.EPOCH)
                .written("n1");
        join(client.swap(BILLING, Revision.ABSENT, led));
        meddled.meddle((request, real) -> {
            if (request instanceof BatchGetItemRequest) {
                throw SdkClientException.create("the answer was lost");
            }
            return real.apply(request);
        });

        Swap refused = join(client.swap(BILLING, new Revision("n0"), SECOND));

        assertThat(refused).isEqualTo(new Swap.Refused(Optional.empty()));
    }

    private static int keys(DynamoDbRequest request) {
        return request instanceof BatchGetItemRequest batch
                ? batch.requestItems().values().stream()
                        .mapToInt(all -> all.keys().size())
                        .sum()
                : 0;
    }

    /** Its answer does not come while the test goes on. */
    private void stop() {
        asked.countDown();
        await(goOn);
    }

    private void endItsTime() {
        await(asked);
        time.advance(rig.requestTimeout());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static DynamoDbException error(String code, int status) {
        return (DynamoDbException) DynamoDbException.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage("as scripted")
                        .build())
                .build();
    }

    private static LeaderRecord vacant(long term, String nonce) {
        return LeaderRecord.EMPTY.vacated(term, Instant.EPOCH).written(nonce);
    }
}
