package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.failure;
import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our items, and what is particular to this store: requests that are sent once, sessions that others bury, and what somebody adds or deletes by hand. */
@Tag("patient")
class TableTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Candidate ADA = new Candidate(new CandidateId("ada@host-1-a"), "ada", "");
    private static final Candidate BOB = new Candidate(new CandidateId("bob@host-1-b"), "bob", "");
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(10));
    private final Coordinator client = rig.connect();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aRecordIsOneItemThatPeopleCanRead() {
        LeaderRecord record = claim(7, grant());

        swap(Revision.ABSENT, record);

        var item = new Item(rig.stored(Item.record(BILLING)));
        assertThat(item.attributes().get(Item.PARTITION)).isEqualTo(Item.text("e#billing/closer"));
        assertThat(item.find(Item.REVISION)).contains(record.nonce());
        assertThat(item.find(Item.RECORD).orElseThrow()).contains("\"term\":7").contains("ada@host-1-a");
    }

    @Test
    void aKeepAliveWhoseAnswerIsLostIsNotSentAgain() {
        LeaseId lease = grant();
        join(client.keepAlive(lease));
        String renewal = renewal(lease);

        rig.loseNextAnswer(client);
        CoordinatorException lost = failure(client.keepAlive(lease));
        String applied = renewal(lease);
        rig.passTime(Duration.ofMillis(500));

        assertThat(lost).isNotInstanceOf(LeaseLostException.class);
        assertThat(lost.mayHaveApplied()).isTrue();
        assertThat(applied).isNotEqualTo(renewal);
        assertThat(renewal(lease)).isEqualTo(applied);
    }

    @Test
    void aSwapWhoseAnswerIsLostIsReadBack() {
        LeaderRecord first = claim(1, grant());
        LeaderRecord second = first.vacated(1, NOON).written(nonce());

        rig.loseNextAnswer(client);
        Swap creation = swap(Revision.ABSENT, first);
        rig.loseNextAnswer(client);
        Swap change = swap(new Revision(first.nonce()), second);

        assertThat(creation).isEqualTo(new Swap.Accepted(new Revision(first.nonce())));
        assertThat(change).isEqualTo(new Swap.Accepted(new Revision(second.nonce())));
    }

    @Test
    void aBuriedLeaseIsNotRevivedByALateKeepAlive() {
        LeaseId lease = grant();
        join(client.revoke(lease));

        assertThat(failure(client.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        assertThat(rig.stored(Item.lease(lease))).isEmpty();
    }

    @Test
    void whoListsCandidatesRemovesThoseWhoseLeaseIsDead() {
        LeaseId dead = grant();
        join(client.enlist(BILLING, new Enlisted(ADA, dead, NOON, Set.of())));
        join(client.enlist(BILLING, new Enlisted(BOB, grant(), NOON, Set.of())));
        join(client.revoke(dead));

        assertThat(standing()).containsExactly(BOB);

        await("the removal", () -> !isEnlisted(ADA));
        assertThat(isEnlisted(BOB)).isTrue();
    }

    @Test
    void leasesThatNobodyKeepsAliveAreBuriedByWhoListsCandidates() {
        LeaseId silent = join(client.grant(ADA.id(), SHORT)).id();

        await("the burial", () -> {
            standing();
            return rig.stored(Item.lease(silent)).isEmpty();
        });
    }

    @Test
    void aLeaseThatIsKeptAliveIsNotBuriedByWhoSawItLongAgo() {
        Coordinator other = rig.connect();
        LeaseId lease = join(client.grant(ADA.id(), SHORT.multipliedBy(3))).id();
        swap(Revision.ABSENT, claim(1, lease));
        assertThat(reading(other)).isInstanceOf(Reading.Found.class);

        for (int i = 0; i < 4; i++) {
            rig.passTime(SHORT);
            join(client.keepAlive(lease));
        }

        assertThat(((Reading.Found) reading(other)).record().leaseAlive()).isTrue();
        join(client.keepAlive(lease));
    }

    @Test
    void whoMayOnlyReadBuriesNobody() {
        Coordinator reader = rig.connect(Mode.READ_ONLY);
        LeaseId lease = join(client.grant(ADA.id(), SHORT)).id();
        swap(Revision.ABSENT, claim(1, lease));
        reading(reader);

        rig.passTime(SHORT.multipliedBy(2));

        assertThat(((Reading.Found) reading(reader)).record().leaseAlive()).isTrue();
        assertThat(rig.stored(Item.lease(lease))).isNotEmpty();
    }

    @Test
    void anAttributeThatSomebodyAddsChangesNothing() {
        LeaderRecord record = claim(3, grant());
        swap(Revision.ABSENT, record);

        rig.set(Item.record(BILLING), "team", Item.text("ledger"));

        assertThat(reading(client)).isInstanceOf(Reading.Found.class);
        swap(new Revision(record.nonce()), record.vacated(3, NOON).written(nonce()));
        assertThat(new Item(rig.stored(Item.record(BILLING))).find("team")).contains("ledger");
    }

    @Test
    void aRecordThatIsDeletedByHandIsToldAsAGapAndIsAbsent() {
        swap(Revision.ABSENT, claim(3, grant()));
        AtomicInteger gaps = new AtomicInteger();
        AtomicInteger records = new AtomicInteger();
        assertThat(client.watch(BILLING, new Counting(gaps, records))).isNotNull();
        await("the first call", () -> records.get() == 1);

        rig.hand()
                .deleteItem(delete ->
                        delete.tableName(rig.table()).key(Item.record(BILLING).key()));

        await("a gap, and then the absence", () -> gaps.get() == 1 && records.get() == 2);
        assertThat(reading(client)).isInstanceOf(Reading.Absent.class);
    }

    @Test
    void anElectionIsListedUntilItsLastCandidateGoesIfItNeverHadARecord() {
        join(client.enlist(BILLING, new Enlisted(ADA, grant(), NOON, Set.of())));
        assertThat(join(client.elections("billing"))).containsExactly(BILLING);

        join(client.withdraw(BILLING, ADA.id()));
        assertThat(join(client.elections(""))).isEmpty();

        swap(Revision.ABSENT, claim(1, grant()));
        assertThat(join(client.elections("billing"))).containsExactly(BILLING);
    }

    @Test
    void placesAreGivenOnceHoweverManyEnlistAtATime() {
        LeaseId lease = grant();
        List<Candidate> all = java.util.stream.IntStream.range(0, 20)
                .mapToObj(i -> new Candidate(new CandidateId("c" + i + "@host-1-c"), "c" + i, ""))
                .toList();

        all.stream()
                .map(one -> client.enlist(BILLING, new Enlisted(one, lease, NOON, Set.of())))
                .toList()
                .forEach(OpeningTest::join);

        Item queue = new Item(rig.stored(Item.queue(BILLING)));
        assertThat(queue.count(Item.LAST_PLACE)).isEqualTo(20);
        assertThat(all.stream().map(one -> queue.count(Item.attribute(Item.PLACE_OF, one.id()))))
                .doesNotHaveDuplicates();
        assertThat(standing()).containsExactlyInAnyOrderElementsOf(all);
    }

    private String renewal(LeaseId lease) {
        return new Item(rig.stored(Item.lease(lease))).find(Item.RENEWAL).orElseThrow();
    }

    private boolean isEnlisted(Candidate one) {
        return rig.stored(Item.queue(BILLING)).containsKey(Item.attribute(Item.CANDIDATE, one.id()));
    }

    private List<Candidate> standing() {
        return Optional.ofNullable(join(client.candidates(Set.of(BILLING))).get(BILLING)).orElseThrow().stream()
                .map(Enlisted::candidate)
                .toList();
    }

    private LeaseId grant() {
        return join(client.grant(ADA.id(), Duration.ofMinutes(1))).id();
    }

    private Swap swap(Revision expected, LeaderRecord next) {
        Swap swap = join(client.swap(BILLING, expected, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return swap;
    }

    private static LeaderRecord claim(long term, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(term, ADA, lease, Duration.ofMinutes(1), NOON)
                .written(nonce());
    }

    private static String nonce() {
        return UUID.randomUUID().toString();
    }

    private static Reading reading(Coordinator by) {
        return Optional.ofNullable(join(by.read(Set.of(BILLING))).get(BILLING)).orElseThrow();
    }

    private void await(String what, BooleanSupplier holds) {
        long end = rig.timeline().nanos() + Duration.ofSeconds(30).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(rig.timeline().nanos()).as(what).isLessThan(end);
            rig.passTime(Duration.ofMillis(20));
        }
    }

    private record Counting(AtomicInteger gaps, AtomicInteger records) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            records.incrementAndGet();
        }

        @Override
        public void gap() {
            gaps.incrementAndGet();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
