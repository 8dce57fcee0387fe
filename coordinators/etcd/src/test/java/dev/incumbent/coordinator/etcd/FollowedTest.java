package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a watcher is told of one election, whichever of a question's answer and the stream comes first, and where the store went back. */
class FollowedTest {
    private static final LeaseId LEASE = new LeaseId("00000000000000aa");
    private static final LeaderRecord OF_ADA = LeaderRecord.EMPTY.claimedBy(
            7,
            new Candidate(CandidateId.of("ada", "host", 1, "x"), "ada", ""),
            LEASE,
            Duration.ofSeconds(10),
            Instant.EPOCH);
    private static final StoredRecord AT_5 = new StoredRecord(5, Optional.of(OF_ADA.written("n5")), "");
    private static final StoredRecord AT_8 = new StoredRecord(8, Optional.of(OF_ADA.written("n8")), "");
    private static final StoredRecord UNREADABLE = new StoredRecord(9, Optional.empty(), "no JSON");

    private final Followed followed = new Followed();
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void follow() {
        followed.add(watching());
    }

    @Test
    void whatIsNewIsToldOnceAndEachAnswerProves() {
        assertThat(answered(AT_5, true, 6, 100)).isTrue();
        assertThat(answered(AT_5, true, 7, 200)).isFalse();

        assertThat(told).containsExactly("n5 alive", "current 100", "current 200");
    }

    @Test
    void anAnswerThatIsOlderThanTheStreamChangesNothing() {
        followed.written(AT_8, true);

        assertThat(answered(AT_5, true, 7, 100)).isFalse();

        assertThat(told).containsExactly("n8 alive", "current 100");
    }

    @Test
    void theStreamDoesNotTellAgainWhatAnAnswerTold() {
        answered(AT_8, true, 9, 100);

        followed.written(AT_5, true);
        followed.written(AT_8, true);

        assertThat(told).containsExactly("n8 alive", "current 100");
    }

    @Test
    void aLeaseThatDiesIsToldToThoseWhoseLeaderHeldIt() {
        followed.written(AT_5, true);

        followed.died(new LeaseId("00000000000000bb"), 6);
        assertThat(told).containsExactly("n5 alive");
        followed.died(LEASE, 6);

        assertThat(told).containsExactly("n5 alive", "n5 dead");
    }

    @Test
    void aDeathThatAnAnswerKnewBetterOfIsNotTold() {
        answered(AT_5, true, 6, 100);
        answered(AT_5, true, 9, 200);

        followed.died(LEASE, 8);

        assertThat(told).containsExactly("n5 alive", "current 100", "current 200");
    }

    @Test
    void aLeaseThatIsAliveAgainIsAGapFirst() {
        answered(AT_5, false, 6, 100);
        answered(AT_5, true, 7, 200);

        assertThat(told).containsExactly("n5 dead", "current 100", "gap", "n5 alive", "current 200");
    }

    @Test
    void anEarlierRecordIsAGapFirst() {
        answered(AT_8, true, 8, 100);
        answered(AT_5, true, 9, 200);

        assertThat(told).containsExactly("n8 alive", "current 100", "gap", "n5 alive", "current 200");
    }

    /** A restored store counts on from where it was, and gives out the same numbers again. */
    @Test
    void anotherRecordOfTheSameNumberIsAGapFirst() {
        StoredRecord other = new StoredRecord(5, Optional.of(OF_ADA.written("other")), "");
        answered(AT_5, true, 6, 100);
        answered(other, true, 7, 200);

        assertThat(told).containsExactly("n5 alive", "current 100", "gap", "other alive", "current 200");
    }

    @Test
    void whatCannotBeReadIsAGapAndProvesNothing() {
        answered(AT_5, true, 6, 100);
        answered(UNREADABLE, false, 10, 200);

        assertThat(told).containsExactly("n5 alive", "current 100", "gap");
    }

    @Test
    void whoComesLaterIsToldWhatHolds() {
        answered(AT_5, true, 6, 100);
        told.clear();

        followed.add(watching());

        assertThat(told).containsExactly("n5 alive");
    }

    @Test
    void whatIsForgottenIsToldAnewAfterAGap() {
        answered(AT_8, true, 8, 100);
        followed.forget();
        answered(AT_5, true, 5, 200);

        assertThat(told).containsExactly("n8 alive", "current 100", "gap", "n5 alive", "current 200");
    }

    @Test
    void nothingStoredIsTold() {
        answered(StoredRecord.ABSENT, false, 3, 100);

        assertThat(told).containsExactly("absent", "current 100");
    }

    private boolean answered(StoredRecord record, boolean leaseAlive, long revision, long sentAt) {
        return followed.answered(record, leaseAlive, new Sightings(sentAt, revision, Map.of(), Set.of()));
    }

    private Watching watching() {
        return new Watching(new ElectionName("job"), new Noting(), closed -> {});
    }

    private final class Noting implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            told.add(
                    record.equals(ObservedRecord.ABSENT)
                            ? "absent"
                            : record.record().nonce() + (record.leaseAlive() ? " alive" : " dead"));
        }

        @Override
        public void gap() {
            told.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            told.add("current " + sentAtNanos);
        }
    }
}
