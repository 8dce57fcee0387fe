package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table is changed by entries alone, and a snapshot of it is the same table. */
final class LeaseTableTest {
    private final LeaseTable table = new LeaseTable(Entry.SUPPORTED);
    private long index;

    @Test
    void anExpiryProposedBeforeARenewalHasNoEffectAfterIt() {
        apply("GRANT", "L1", "ada", "2000");
        apply("KEEP", "L1");

        apply("EXPIRE", "L1", "0");
        assertThat(apply("KEEP", "L1")).isEqualTo("DONE");

        apply("EXPIRE", "L1", "2");
        assertThat(apply("KEEP", "L1")).isEqualTo("LOST");
    }

    @Test
    void theDeathOfALeaseChangesWhatItLedAndEndsWhoStoodUnderIt() {
        apply("GRANT", "L1", "ada", "2000");
        apply("SWAP", "billing", "", "x1", "L1", "{}");
        apply("ENLIST", "billing", "ada", "L1", "{}");

        LeaseTable.Effect death = table.apply(++index, Line.of("REVOKE", "L1"));

        assertThat(death.elections()).isEqualTo(Set.of("billing"));
        assertThat(table.election("billing").orElseThrow().position()).isEqualTo(index);
        assertThat(table.candidates("billing")).isEmpty();
    }

    @Test
    void theDeathOfALeaseTouchesNothingOfAnother() {
        apply("GRANT", "L1", "ada", "2000");
        apply("GRANT", "L2", "bob", "3000");
        apply("SWAP", "shipping", "", "y1", "L2", "{}");
        apply("ENLIST", "billing", "ada", "L1", "{}");
        apply("ENLIST", "billing", "bob", "L2", "{}");

        LeaseTable.Effect death = table.apply(++index, Line.of("REVOKE", "L1"));

        assertThat(death).isEqualTo(new LeaseTable.Effect("DONE", Set.of(), Optional.of("L1")));
        assertThat(table.leases()).containsExactly(new LeaseTable.Lease("L2", "bob", 3_000, 0));
        assertThat(table.candidates("billing")).containsExactly(new LeaseTable.Candidate("billing", "bob", "L2", "{}"));
        assertThat(table.election("shipping").orElseThrow().position()).isEqualTo(3);
        assertThat(apply("REVOKE", "L1")).isEqualTo("DONE");
        assertThat(apply("KEEP", "L2")).isEqualTo("DONE");
    }

    @Test
    void nobodyIsEnlistedUnderADeadLease() {
        apply("GRANT", "L1", "ada", "2000");
        apply("REVOKE", "L1");

        assertThat(apply("ENLIST", "billing", "ada", "L1", "{}")).isEqualTo("LOST");
        assertThat(table.candidates("billing")).isEmpty();
    }

    @Test
    void whoWithdrawsTakesNobodyAlong() {
        apply("GRANT", "L1", "ada", "2000");
        apply("ENLIST", "billing", "ada", "L1", "{}");
        apply("ENLIST", "billing", "bob", "L1", "{}");

        assertThat(apply("WITHDRAW", "billing", "ada")).isEqualTo("DONE");

        assertThat(table.candidates("billing"))
                .extracting(LeaseTable.Candidate::id)
                .containsExactly("bob");
    }

    @Test
    void aSwapThatExpectsAnotherRevisionChangesNothing() {
        apply("SWAP", "billing", "", "x1", "", "{1}");
        apply("SWAP", "billing", "x1", "x2", "", "{2}");
        List<String> before = table.saved();

        assertThat(apply("SWAP", "billing", "x1", "x3", "", "{3}")).isEqualTo("REFUSED");
        assertThat(apply("SWAP", "shipping", "x1", "y1", "", "{3}")).isEqualTo("REFUSED");

        assertThat(table.saved()).isEqualTo(before);
    }

    @Test
    void aLeasesIdIsGrantedOnce() {
        apply("GRANT", "L1", "ada", "2000");

        assertThat(apply("GRANT", "L1", "bob", "9000")).startsWith("BAD");
        assertThat(table.leases()).containsExactly(new LeaseTable.Lease("L1", "ada", 2_000, 0));
    }

    @Test
    void electionsAreListedByTheirNameOrWhatIsBeneathIt() {
        apply("SWAP", "billing/a", "", "x1", "", "{}");
        apply("SWAP", "billings", "", "x2", "", "{}");
        apply("GRANT", "L1", "ada", "2000");
        apply("ENLIST", "billing", "ada", "L1", "{}");

        assertThat(table.elections("billing")).containsExactly("billing", "billing/a");
        assertThat(table.elections("")).containsExactly("billing", "billing/a", "billings");
    }

    @Test
    void aSwapThatFindsItsOwnNonceIsAccepted() {
        apply("SWAP", "billing", "", "x1", "", "{}");

        assertThat(apply("SWAP", "billing", "", "x1", "", "{}")).isEqualTo("ACCEPTED\tx1");
        assertThat(apply("SWAP", "billing", "", "x2", "", "{}")).isEqualTo("REFUSED");
    }

    @Test
    void noLeaseIsShorterThanASecond() {
        assertThat(apply("GRANT", "L1", "ada", "10")).isEqualTo("GRANTED\tL1\t1000");
    }

    @Test
    void anEntryThatLacksFieldsOrNumbersChangesNothing() {
        List<String> before = table.saved();

        for (String line : List.of("GRANT", "GRANT\tL1\tada\tlong", "EXPIRE\tL1", "SWAP\ta\t\t\t\t")) {
            assertThat(table.apply(++index, line).answer()).startsWith("BAD");
        }

        assertThat(table.saved()).isEqualTo(before);
    }

    @Test
    void aSnapshotIsTheSameTable() {
        apply("EPOCH", "e1");
        apply("GRANT", "L1", "ada\tbob\\", "2000");
        apply("KEEP", "L1");
        apply("SWAP", "billing", "", "x1", "L1", "{\"a\":\"\\n\"}\r\n");
        apply("ENLIST", "billing", "bob", "L1", "{2}");
        apply("ENLIST", "billing", "ada", "L1", "{1}");

        LeaseTable copy = new LeaseTable(Entry.SUPPORTED);
        copy.restore(table.saved());

        assertThat(copy.saved()).isEqualTo(table.saved());
        assertThat(copy.leases()).containsExactly(new LeaseTable.Lease("L1", "ada\tbob\\", 2_000, 1));
        assertThat(copy.election("billing"))
                .contains(new LeaseTable.Election("billing", 4, "x1", "L1", "{\"a\":\"\\n\"}\r\n"));
        assertThat(copy.epoch()).contains(new LeaseTable.Epoch(1, "e1"));
        assertThat(copy.changedAfter(3)).containsExactly("billing");
        assertThat(copy.changedAfter(4)).isEmpty();
        assertThat(copy.candidates("billing"))
                .containsExactly(
                        new LeaseTable.Candidate("billing", "bob", "L1", "{2}"),
                        new LeaseTable.Candidate("billing", "ada", "L1", "{1}"));
    }

    @Test
    void aSnapshotReplacesAllThatWasThere() {
        List<String> snapshot = List.of("EPOCH\t1\te1", "LEASE\tL1\tada\t2000\t3", "ELECTION\tbilling\t2\tx1\tL1\t{}");
        apply("EPOCH", "e9");
        apply("GRANT", "L9", "bob", "2000");
        apply("SWAP", "shipping", "", "y1", "L9", "{}");
        apply("ENLIST", "shipping", "bob", "L9", "{}");

        table.restore(snapshot);

        assertThat(table.saved()).isEqualTo(snapshot);
        assertThat(table.lease("L9")).isEmpty();
        assertThat(table.changedAfter(0)).containsExactly("billing");
    }

    @Test
    void ofEpochsTheLastThousandAreKnown() {
        for (int i = 1; i <= 1_001; i++) {
            apply("EPOCH", "e" + i);
        }

        assertThat(table.epoch()).contains(new LeaseTable.Epoch(1_001, "e1001"));
        assertThat(table.wasAt(1_001, "e1001")).isTrue();
        assertThat(table.wasAt(2, "e2")).isTrue();
        assertThat(table.wasAt(1, "e1")).isFalse();
    }

    @Test
    void aPositionWrittenByAnotherEpochIsNoneOfThisLogsPast() {
        apply("EPOCH", "e1");
        apply("EPOCH", "e2");

        assertThat(table.wasAt(1, "e1")).isTrue();
        assertThat(table.wasAt(2, "e2")).isTrue();
        assertThat(table.wasAt(2, "e1")).isFalse();
        assertThat(table.wasAt(0, "e1")).isFalse();
    }

    private String apply(String... fields) {
        return table.apply(++index, Line.of(fields)).answer();
    }
}
