package dev.incumbent.coordinator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a watcher is told of look after look: news once, a gap before what is older and where nothing is known, proofs as old as their looks. */
class PollerTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final LeaseId LEASE = new LeaseId("0123456789abcdef0123456789abcdef");
    private static final Duration DELAY = Duration.ofMillis(250);

    private final VirtualTimeline time = new VirtualTimeline();
    private final List<String> told = new ArrayList<>();
    private final Script table = new Script();
    private final Poller poller = new Poller(table, time);

    @Test
    void whatIsThereIsToldFirstAndThenOnlyWhatIsNew() {
        table.holds(5, "n5", true);
        watch("n5 alive");

        time.advance(DELAY.multipliedBy(2));
        table.holds(6, "n6", true);
        time.advance(DELAY);

        assertThat(told).containsExactly("proof 1", "proof 2", "n6 alive", "proof 3");
    }

    @Test
    void theDeathOfALeaseIsTold() {
        table.holds(5, "n5", true);
        watch("n5 alive");
        table.holds(5, "n5", false);

        time.advance(DELAY);

        assertThat(told).containsExactly("n5 dead", "proof 1");
    }

    /** It does not wait for the look at all of them. */
    @Test
    void aLeaseThatEndsIsLookedAtThen() {
        table.holds(5, "n5", true);
        table.end = OptionalLong.of(time.nanos() + Duration.ofMillis(100).toNanos());
        watch("n5 alive");
        table.holds(5, "n5", false);

        time.advance(Duration.ofMillis(101));
        assertThat(told).isEmpty();
        time.advance(Duration.ofMillis(1));

        assertThat(told).containsExactly("n5 dead", "proof 1");
    }

    @Test
    void anEarlierRecordIsAGapFirst() {
        table.holds(8, "n8", true);
        watch("n8 alive");
        table.holds(5, "n5", true);

        time.advance(DELAY);

        assertThat(told).containsExactly("gap", "n5 alive", "proof 1");
    }

    @Test
    void anElectionOfABatchThatFailedIsAGapAndIsToldAnew() {
        table.holds(5, "n5", true);
        watch("n5 alive");
        table.readable = false;
        time.advance(DELAY.multipliedBy(2));
        assertThat(told).containsExactly("gap");

        table.readable = true;
        time.advance(DELAY);

        assertThat(told).containsExactly("gap", "n5 alive", "proof 3");
    }

    /** Once for each time that it fails, however long. */
    @Test
    void aStoreThatDoesNotAnswerIsAGapAndIsLookedAtAgain() {
        table.holds(5, "n5", true);
        watch("n5 alive");

        for (int i = 0; i < 2; i++) {
            table.failing = true;
            time.advance(DELAY.multipliedBy(3));
            table.failing = false;
            time.advance(DELAY);
        }

        assertThat(told).containsExactly("gap", "proof 4", "gap", "proof 8");
    }

    @Test
    void whatCannotBeReadIsAGapAndProvesNothing() {
        table.record = Item.record(BILLING).with(Item.REVISION, Item.text("n5")).with(Item.RECORD, Item.text("{}"));
        watch("gap");

        time.advance(DELAY);

        assertThat(told).isEmpty();
    }

    @Test
    void whoComesLaterIsToldWhatHolds() {
        table.holds(5, "n5", true);
        watch("n5 alive");

        Watch unused = poller.watch(BILLING, new Noting());

        assertThat(told).containsExactly("proof 1", "n5 alive", "proof 1");
    }

    /** No more than four requests a second, of a hundred elections each. */
    @Test
    void threeHundredElectionsAreLookedAtInEachThirdDelay() {
        for (int i = 0; i < 300; i++) {
            Watch unused = poller.watch(new ElectionName("many/" + i), new Noting());
        }
        time.advance(DELAY.multipliedBy(3));
        table.looks = 0;

        time.advance(DELAY.multipliedBy(6));

        assertThat(table.looks).isEqualTo(2);
    }

    /** Begins, and forgets what was told at first. */
    private void watch(String expected) {
        Watch unused = poller.watch(BILLING, new Noting());
        time.runDue();
        assertThat(told).startsWith(expected);
        told.clear();
        table.looks = 0;
    }

    /** Answers at once; the n-th look is dated n. */
    private static final class Script implements Poller.Store {
        private Item record = Item.record(BILLING);
        private Set<LeaseId> alive = Set.of();
        private OptionalLong end = OptionalLong.empty();
        private boolean readable = true;
        private boolean failing;
        private long looks;

        void holds(long position, String nonce, boolean leaseAlive) {
            LeaderRecord ada = LeaderRecord.EMPTY
                    .claimedBy(
                            position,
                            new Candidate(new CandidateId("ada"), "ada", ""),
                            LEASE,
                            Duration.ofSeconds(5),
                            Instant.EPOCH)
                    .written(nonce);
            record = Item.record(BILLING)
                    .with(Item.REVISION, Item.text(nonce))
                    .with(Item.RECORD, Item.text(RecordJson.write(ada)))
                    .with(Item.POSITION, Item.number(position));
            alive = leaseAlive ? Set.of(LEASE) : Set.of();
        }

        @Override
        public CompletionStage<Records.Look> look(Set<ElectionName> elections) {
            looks++;
            if (failing) {
                return CompletableFuture.failedStage(new IllegalStateException("no answer"));
            }
            Map<ElectionName, Seen> seen = new LinkedHashMap<>();
            Map<ElectionName, Long> sent = new LinkedHashMap<>();
            if (readable) {
                seen.put(BILLING, Seen.of(record).withLeases(alive));
                sent.put(BILLING, looks);
            }
            return CompletableFuture.completedStage(
                    new Records.Look(seen, sent, readable ? Map.of() : Map.of(BILLING, "no answer")));
        }

        @Override
        public OptionalLong endNanos(LeaseId lease) {
            return end;
        }
    }

    private final class Noting implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            told.add(record.record().nonce() + (record.leaseAlive() ? " alive" : " dead"));
        }

        @Override
        public void gap() {
            told.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            told.add("proof " + sentAtNanos);
        }
    }
}
