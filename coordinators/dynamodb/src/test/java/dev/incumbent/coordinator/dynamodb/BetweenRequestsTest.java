package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What somebody else does between two requests of one call, and answers of several parts. The client's time is virtual. */
@Tag("patient")
class BetweenRequestsTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Candidate ADA = new Candidate(new CandidateId("ada@host-1-a"), "ada", "");
    private static final Candidate BOB = new Candidate(new CandidateId("bob@host-1-b"), "bob", "");
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(20));
    private final VirtualTimeline time = new VirtualTimeline();
    private final Meddled meddled = Meddled.with(rig);
    private final Coordinator client = meddled.coordinator(time, rig.requestTimeout(), Mode.CREATE);
    private final Coordinator other = rig.connect();

    @AfterEach
    void close() {
        client.close();
        rig.close();
    }

    @Test
    void aLeaseIsBuriedOnceItsWholeLengthWasSeenToPass() {
        LeaseId lease = lead();
        assertThat(isLeaseAlive()).isTrue();

        time.advance(LEASE);
        assertThat(isLeaseAlive()).isTrue();
        join(other.keepAlive(lease));
        time.advance(LEASE);
        assertThat(isLeaseAlive()).as("kept alive, as seen now").isTrue();
        time.advance(LEASE.plusNanos(1));

        assertThat(isLeaseAlive()).isFalse();
        assertThat(rig.stored(Item.lease(lease))).isEmpty();
    }

    @Test
    void aLeaseThatIsKeptAliveJustBeforeItsBurialLives() {
        LeaseId lease = lead();
        assertThat(isLeaseAlive()).isTrue();
        time.advance(LEASE.plusMillis(1));
        meddled.before(DeleteItemRequest.class::isInstance, () -> join(other.keepAlive(lease)));

        assertThat(isLeaseAlive()).isTrue();

        assertThat(meddled.asked()).hasAtLeastOneElementOfType(DeleteItemRequest.class);
        join(other.keepAlive(lease));
    }

    @Test
    void aLeaseWhoseBurialIsNotAnsweredIsNotToldDead() {
        LeaseId lease = lead();
        assertThat(isLeaseAlive()).isTrue();
        time.advance(LEASE.plusMillis(1));
        meddled.meddle((request, real) -> {
            if (request instanceof DeleteItemRequest) {
                throw ApiCallTimeoutException.create(1);
            }
            return real.apply(request);
        });

        assertThat(isLeaseAlive()).isTrue();

        join(other.keepAlive(lease));
    }

    @Test
    void aLeaseIsNoShorterThanToldAndThanAskedFor() {
        Duration asked = Duration.ofSeconds(2).plusNanos(1);

        var granted = join(client.grant(ADA.id(), asked));

        assertThat(granted.timeToLive()).isGreaterThanOrEqualTo(asked);
        assertThat(new Item(rig.stored(Item.lease(granted.id()))).count(Item.LENGTH_MILLIS))
                .isEqualTo(granted.timeToLive().toMillis());
    }

    /** Dynoxide serves every read alike. */
    @Test
    void everyReadAsksForWhatWasWrittenLast() {
        LeaderRecord record = claim(join(client.grant(ADA.id(), LEASE)).id());
        join(client.enlist(BILLING, new Enlisted(ADA, record.lease().orElseThrow(), NOON, Set.of())));
        meddled.meddle((request, real) -> {
            DynamoDbResponse answer = real.apply(request);
            if (request instanceof UpdateItemRequest update
                    && update.key().equals(Item.record(BILLING).key())) {
                throw ApiCallTimeoutException.create(1);
            }
            return answer;
        });
        join(client.swap(BILLING, Revision.ABSENT, record));
        join(client.swap(
                BILLING, new Revision(record.nonce()), record.vacated(1, NOON).written("n2")));
        join(client.read(Set.of(BILLING)));
        join(client.elections(""));
        join(client.candidates(Set.of(BILLING)));
        await("the sweep", () -> meddled.asked().stream().anyMatch(BetweenRequestsTest::isSweep));

        assertThat(meddled.asked().stream().filter(it -> it instanceof GetItemRequest get && !get.consistentRead()))
                .isEmpty();
        assertThat(meddled.asked().stream().filter(it -> it instanceof QueryRequest all && !all.consistentRead()))
                .isEmpty();
        assertThat(meddled.asked().stream()
                        .filter(it -> it instanceof BatchGetItemRequest batch
                                && !batch.requestItems().values().stream().allMatch(KeysAndAttributes::consistentRead)))
                .isEmpty();
        assertThat(meddled.asked()).hasAtLeastOneElementOfType(GetItemRequest.class);
        assertThat(meddled.asked()).hasAtLeastOneElementOfType(BatchGetItemRequest.class);
    }

    @Test
    void whatABatchLeavesForLaterIsAskedForAgain() {
        ElectionName second = new ElectionName("second");
        LeaseId lease = lead();
        join(other.swap(second, Revision.ABSENT, claim(lease)));
        meddled.meddle((request, real) ->
                request instanceof BatchGetItemRequest batch ? firstAlone(batch, real) : real.apply(request));

        Map<ElectionName, Reading> readings = join(client.read(Set.of(BILLING, second)));

        assertThat(readings.values())
                .hasSize(2)
                .allSatisfy(reading -> assertThat(reading)
                        .isInstanceOfSatisfying(
                                Reading.Found.class,
                                found -> assertThat(found.record().leaseAlive()).isTrue()));
    }

    private DynamoDbResponse firstAlone(
            BatchGetItemRequest batch, java.util.function.Function<DynamoDbRequest, DynamoDbResponse> real) {
        KeysAndAttributes all =
                Optional.ofNullable(batch.requestItems().get(rig.table())).orElseThrow();
        KeysAndAttributes first =
                all.toBuilder().keys(List.of(all.keys().get(0))).build();
        List<Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue>> later =
                all.keys().subList(1, all.keys().size());
        BatchGetItemResponse answer = (BatchGetItemResponse) real.apply(
                batch.toBuilder().requestItems(Map.of(rig.table(), first)).build());
        return later.isEmpty()
                ? answer
                : answer.toBuilder()
                        .unprocessedKeys(
                                Map.of(rig.table(), all.toBuilder().keys(later).build()))
                        .build();
    }

    @Test
    void aListOfSeveralPagesIsReadToItsEnd() {
        LeaseId lease = lead();
        join(other.swap(new ElectionName("second"), Revision.ABSENT, claim(lease)));
        join(other.swap(new ElectionName("third"), Revision.ABSENT, claim(lease)));
        meddled.meddle((request, real) -> real.apply(
                request instanceof QueryRequest query
                        ? query.toBuilder().limit(1).build()
                        : request));

        assertThat(join(client.elections("")))
                .containsExactly(BILLING, new ElectionName("second"), new ElectionName("third"));
    }

    /** As it was when it was looked at, it had none, or that of a dead lease. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoEnlistsWhileItsEntryComesAboutKeepsThatPlace(boolean wasThere) {
        LeaseId dead = join(other.grant(ADA.id(), LEASE)).id();
        LeaseId alive = join(other.grant(ADA.id(), LEASE)).id();
        join(other.enlist(BILLING, new Enlisted(wasThere ? ADA : BOB, dead, NOON, Set.of())));
        join(other.revoke(dead));
        meddled.before(BetweenRequestsTest::isEntry, () -> {
            join(other.enlist(BILLING, new Enlisted(ADA, alive, NOON, Set.of())));
            join(other.enlist(BILLING, new Enlisted(BOB, alive, NOON, Set.of())));
        });

        join(client.enlist(BILLING, new Enlisted(ADA, alive, NOON, Set.of())));

        assertThat(join(client.candidates(Set.of(BILLING))).get(BILLING))
                .extracting(Enlisted::candidate)
                .containsExactly(ADA, BOB);
    }

    @Test
    void anEntryThatComesBackUnderALivingLeaseBeforeItsRemovalStays() {
        LeaseId dead = join(other.grant(ADA.id(), LEASE)).id();
        LeaseId alive = join(other.grant(ADA.id(), LEASE)).id();
        Enlisted again = new Enlisted(ADA, alive, NOON, Set.of());
        join(other.enlist(BILLING, new Enlisted(ADA, dead, NOON, Set.of())));
        join(other.revoke(dead));
        meddled.before(BetweenRequestsTest::isEntry, () -> join(other.enlist(BILLING, again)));

        assertThat(join(client.candidates(Set.of(BILLING))).get(BILLING)).isEmpty();

        await("the end of the removal", () -> meddled.asked().stream().anyMatch(BetweenRequestsTest::isSweep));
        assertThat(join(other.candidates(Set.of(BILLING))).get(BILLING)).containsExactly(again);
    }

    @Test
    void whoMayOnlyReadRemovesNothingThatIsDead() {
        Meddled reading = Meddled.with(rig);
        Coordinator reader = reading.coordinator(time, rig.requestTimeout(), Mode.READ_ONLY);
        LeaseId lease = lead();
        join(other.enlist(BILLING, new Enlisted(ADA, lease, NOON, Set.of())));
        join(other.revoke(lease));

        for (int i = 0; i < 10; i++) {
            assertThat(join(reader.candidates(Set.of(BILLING))).get(BILLING)).isEmpty();
        }

        assertThat(reading.asked()).hasOnlyElementsOfType(BatchGetItemRequest.class);
        reader.close();
    }

    private static boolean isEntry(DynamoDbRequest request) {
        return request instanceof UpdateItemRequest update
                && update.key().equals(Item.queue(BILLING).key());
    }

    /** One looks at the leases of a digit when all entries were removed. */
    private static boolean isSweep(DynamoDbRequest request) {
        return request instanceof QueryRequest query
                && query.expressionAttributeValues().values().stream()
                        .anyMatch(value -> value.s().startsWith("l#"));
    }

    private LeaseId lead() {
        LeaseId lease = join(other.grant(ADA.id(), LEASE)).id();
        join(other.swap(BILLING, Revision.ABSENT, claim(lease)));
        return lease;
    }

    private boolean isLeaseAlive() {
        Reading reading = join(client.read(Set.of(BILLING))).getOrDefault(BILLING, new Reading.Unread("asserted"));
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record().leaseAlive();
    }

    private static LeaderRecord claim(LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(1, ADA, lease, LEASE, NOON)
                .written(UUID.randomUUID().toString());
    }

    private void await(String what, BooleanSupplier holds) {
        long end = rig.timeline().nanos() + Duration.ofSeconds(30).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(rig.timeline().nanos()).as(what).isLessThan(end);
            rig.passTime(Duration.ofMillis(20));
        }
    }
}
