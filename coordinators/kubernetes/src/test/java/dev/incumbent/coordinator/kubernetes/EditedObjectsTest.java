package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An election's object that somebody edits: what is noticed, and what is not. Only the nonce and the holder are compared. */
@Tag("realtime")
class EditedObjectsTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Candidate ADA = new Candidate(new CandidateId("ada@host-1-a"), "ada", "");
    private static final Candidate BOB = new Candidate(new CandidateId("bob@host-1-b"), "bob", "");

    private final KubeRig rig = new KubeRig(SharedServer.get(), Duration.ofSeconds(20));
    private final Coordinator client = rig.connect();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aRecordWithAnotherNonceIsNotUnderstood() {
        LeaderRecord first = claimed();

        edit(first.written("by-hand"));

        assertThat(why()).contains("was edited").contains("'by-hand'");
    }

    @Test
    void aRecordThatNamesAnotherLeaderIsNotUnderstood() {
        LeaderRecord first = claimed();

        edit(claim(3, BOB, first.lease().orElseThrow()));

        assertThat(why()).contains("is held by 'ada@host-1-a', and its record names 'bob@host-1-b'");
    }

    @Test
    void aRecordEditedUnderItsOldNonceAndLeaderIsBelievedAndWatchersAreNotTold() {
        LeaderRecord first = claimed();
        Heard heard = new Heard();
        client.watch(BILLING, heard);
        Waiting.until("the first record", () -> heard.terms().equals(List.of(3L)));
        LeaderRecord edited = claim(5, ADA, first.lease().orElseThrow());

        edit(edited);
        assertThat(reading())
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.record().record()).isEqualTo(edited));
        LeaderRecord next = edited.vacated(5, NOON).written("n2");
        assertThat(get(client.swap(BILLING, new Revision(first.nonce()), next))).isInstanceOf(Swap.Accepted.class);

        Waiting.until("the next record", () -> heard.nonces().contains("n2"));
        assertThat(heard.nonces()).as("what was told").containsExactly("n1", "n2");
    }

    @Test
    void whoeverRemovesTheHolderOfARecordThatNamesNoneHealsTheRecord() {
        LeaderRecord first = claimed();
        LeaderRecord vacant = first.vacated(3, NOON).written("n2");
        assertThat(get(client.swap(BILLING, new Revision(first.nonce()), vacant)))
                .isInstanceOf(Swap.Accepted.class);
        rig.patch("billing", "{\"spec\":{\"holderIdentity\":\"operator-7f9\"}}");
        assertThat(why()).contains("is held by 'operator-7f9', and its record names ''");

        rig.patch("billing", "{\"spec\":{\"holderIdentity\":null}}");

        assertThat(reading()).isInstanceOf(Reading.Found.class);
        LeaseId lease = get(client.grant(BOB.id(), rig.lease())).id();
        LeaderRecord next = vacant.claimedBy(4, BOB, lease, rig.lease(), NOON).written("n3");
        assertThat(get(client.swap(BILLING, new Revision("n2"), next))).isInstanceOf(Swap.Accepted.class);
    }

    private LeaderRecord claimed() {
        LeaderRecord record =
                claim(3, ADA, get(client.grant(ADA.id(), rig.lease())).id());
        assertThat(get(client.swap(BILLING, Revision.ABSENT, record))).isInstanceOf(Swap.Accepted.class);
        return record;
    }

    private LeaderRecord claim(long term, Candidate leader, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(term, leader, lease, rig.lease(), NOON)
                .written("n1");
    }

    private void edit(LeaderRecord record) {
        rig.patch(
                "billing",
                Document.write(
                        Map.of("metadata", Map.of("annotations", Map.of(Stored.RECORD, RecordJson.write(record))))));
    }

    private String why() {
        Reading reading = reading();
        assertThat(reading).isInstanceOf(Reading.Foreign.class);
        return ((Reading.Foreign) reading).why();
    }

    private Reading reading() {
        return Optional.ofNullable(get(client.read(Set.of(BILLING))).get(BILLING))
                .orElseThrow();
    }

    private static <T> T get(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    /** The terms and nonces of the records that were told; 0 for a gap. */
    private record Heard(List<Long> terms, List<String> nonces) implements Watcher {
        Heard() {
            this(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        }

        @Override
        public void changed(ObservedRecord record) {
            terms.add(record.record().term());
            nonces.add(record.record().nonce());
        }

        @Override
        public void gap() {
            terms.add(0L);
            nonces.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
