package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A record that somebody edits with another program: what is noticed, and what is not. Only the nonce is compared. */
class EditedByHandTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final LeaderRecord FIRST =
            LeaderRecord.EMPTY.vacated(3, Instant.EPOCH).written("n1");
    private static final LeaderRecord EDITED =
            LeaderRecord.EMPTY.vacated(5, Instant.EPOCH).written("n1");

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(10));
    private final Coordinator client = rig.connect();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aRecordWhoseRevIsAnotherIsNotUnderstood() {
        swap(Revision.ABSENT, FIRST);

        rig.set(Item.record(BILLING), Item.REVISION, Item.text("by-hand"));

        assertEdited("by-hand");
    }

    @Test
    void aRecordWhoseTextHasAnotherNonceIsNotUnderstood() {
        swap(Revision.ABSENT, FIRST);

        write(EDITED.written("by-hand"));

        assertEdited("by-hand");
    }

    @Test
    void aRecordEditedUnderItsOldNonceIsBelievedAndWatchersAreNotTold() {
        swap(Revision.ABSENT, FIRST);
        Heard heard = new Heard();
        client.watch(BILLING, heard);
        Waiting.until("the first record", () -> heard.terms().equals(List.of(3L)));

        write(EDITED);
        long edited = rig.timeline().nanos();
        Waiting.until("a look after the edit", () -> heard.lookedAt().get() - edited > 0);

        assertThat(reading())
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.record().record()).isEqualTo(EDITED));
        assertThat(heard.terms()).containsExactly(3L);
        swap(new Revision("n1"), FIRST.vacated(4, Instant.EPOCH).written("n2"));
    }

    private void assertEdited(String nonce) {
        assertThat(reading())
                .isInstanceOfSatisfying(
                        Reading.Foreign.class,
                        foreign -> assertThat(foreign.why())
                                .contains("it was edited")
                                .contains(nonce));
    }

    private void write(LeaderRecord record) {
        rig.set(Item.record(BILLING), Item.RECORD, Item.text(RecordJson.write(record)));
    }

    private void swap(Revision expected, LeaderRecord next) {
        assertThat(join(client.swap(BILLING, expected, next))).isInstanceOf(Swap.Accepted.class);
    }

    private Reading reading() {
        return Optional.ofNullable(join(client.read(Set.of(BILLING))).get(BILLING))
                .orElseThrow();
    }

    /** The terms of the records that were told, with 0 for a gap; and when the last look was sent. */
    private record Heard(List<Long> terms, AtomicLong lookedAt) implements Watcher {
        Heard() {
            this(new CopyOnWriteArrayList<>(), new AtomicLong(Long.MIN_VALUE));
        }

        @Override
        public void changed(ObservedRecord record) {
            terms.add(record.record().term());
        }

        @Override
        public void gap() {
            terms.add(0L);
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            lookedAt.set(sentAtNanos);
        }
    }
}
