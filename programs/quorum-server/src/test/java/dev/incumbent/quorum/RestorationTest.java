package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.time.VirtualTimeline;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a new quorum makes of a snapshot that is older than what the lost one acknowledged. */
final class RestorationTest {
    private static final String CLUSTER = "22222222-0000-4000-8000-000000000002";
    private static final long LIFT = 1_000;

    private final Snapshot snapshot = SavedTable.snapshot();
    private final SharedTable restored = restored(CLUSTER, LIFT);

    @Test
    void nobodyLeadsAndTheTermIsAboveAllThatWasGrantedSince() {
        LeaderRecord record = record("billing/closer");

        assertThat(record.leader()).isEmpty();
        assertThat(record.lease()).isEmpty();
        assertThat(record.request()).isEmpty();
        assertThat(record.term()).isEqualTo(7 + LIFT);
        assertThat(record.sinks()).isEqualTo(SavedTable.LED.sinks());
        assertThat(record.history())
                .containsExactly(new PastTerm(
                        7,
                        SavedTable.ADA,
                        SavedTable.CLAIMED,
                        snapshot.header().taken(),
                        EndReason.LEASE_LOST,
                        SavedTable.LED.leaseLength()));
    }

    @Test
    void whatIsFrozenStaysFrozenByTheSameNumber() {
        LeaderRecord record = record("frozen");

        assertThat(record.freeze()).contains(SavedTable.FREEZE);
        assertThat(record.term()).isEqualTo(9 + LIFT);
        assertThat(record.history()).isEmpty();
    }

    @Test
    void leasesAndCandidatesOfTheLostQuorumAreGone() {
        assertThat(restored.leaseCount()).isZero();
        assertThat(restored.query(Line.of(Words.CANDIDATES, "billing/closer"))).isEqualTo(Words.CANDIDATES);
        assertThat(restored.apply(8, Line.of("KEEP", "L1"))).isEqualTo(Words.LOST);
        assertThat(restored.query(Line.of(Words.READ, "billing/closer"))).contains("\t0\t0\t");
    }

    @Test
    void nothingThatWasPreparedOnTheLostQuorumIsTaken() {
        String late = restored.apply(
                8,
                Line.of("SWAP", "billing/closer", SavedTable.LED.nonce(), "new", "", RecordJson.write(SavedTable.LED)));

        assertThat(late).startsWith(Words.REFUSED);
        assertThat(record("billing/closer").nonce()).isNotEqualTo(SavedTable.LED.nonce());
    }

    @Test
    void aPositionOfTheLostLogIsAGap() {
        SavedTable.apply(restored, 8, "EPOCH", "e2");

        assertThat(restored.changes("7@e1", Set.of("frozen"), Set.of())).contains(Words.GAP);
        assertThat(restored.changes("8@e2", Set.of("frozen"), Set.of())).containsExactly("AT\t8@e2");
    }

    @Test
    void aRecordOfAVersionToComeIsLeftAsItIsWithoutALivingLease() {
        assertThat(restored.query(Line.of(Words.READ, "later")))
                .isEqualTo(Line.of(Words.READ, "later", "n3", "0", "0", SavedTable.UNREADABLE));
    }

    @Test
    void everyMemberComesToTheSameAndAnotherQuorumToOtherNonces() {
        assertThat(restored(CLUSTER, LIFT).saved()).isEqualTo(restored.saved());
        assertThat(record(restored("33333333-0000-4000-8000-000000000003", LIFT), "frozen")
                        .nonce())
                .isNotEqualTo(record("frozen").nonce());
        assertThat(restored.level()).isEqualTo(1);
    }

    @Test
    void aTermThatCannotBeLiftedStays() {
        LeaderRecord last = SavedTable.FROZEN.vacated(Long.MAX_VALUE - 5, SavedTable.CLAIMED);
        SharedTable table = SavedTable.table();
        SavedTable.apply(table, 8, "SWAP", "frozen", SavedTable.FROZEN.nonce(), "n", "", RecordJson.write(last));
        SharedTable next = new SharedTable(new VirtualTimeline());
        next.restore(new Restoration(table.copy("c", "n1"), CLUSTER, LIFT).lines(), 8);

        assertThat(record(next, "frozen").term()).isEqualTo(Long.MAX_VALUE - 5);
    }

    private SharedTable restored(String cluster, long lift) {
        SharedTable table = new SharedTable(new VirtualTimeline());
        table.restore(
                new Restoration(snapshot, cluster, lift).lines(),
                snapshot.header().index());
        return table;
    }

    private LeaderRecord record(String election) {
        return record(restored, election);
    }

    /** Whose nonce is also the one that swaps are compared with. */
    private static LeaderRecord record(SharedTable table, String election) {
        List<String> told = Line.fields(table.query(Line.of(Words.READ, election)));
        try {
            LeaderRecord record = RecordJson.read(told.get(5));
            assertThat(Optional.of(told.get(2))).contains(record.nonce());
            return record;
        } catch (UnreadableRecordException e) {
            throw new AssertionError(e);
        }
    }
}
