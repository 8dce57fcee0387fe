package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table is changed by entries alone, and a snapshot of it is the same table. */
final class LeaseTableTest {
    private final LeaseTable table = new LeaseTable();
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
    void whatIsNotUnderstoodChangesNothing() {
        List<String> before = table.saved();

        for (String line :
                List.of("", "GRANT", "GRANT\tL1\tada\tlong", "EXPIRE\tL1", "NONSENSE\tx", "SWAP\ta\t\t\t\t")) {
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

        LeaseTable copy = new LeaseTable();
        copy.restore(table.saved());

        assertThat(copy.saved()).isEqualTo(table.saved());
        assertThat(copy.candidates("billing"))
                .extracting(LeaseTable.Candidate::id)
                .containsExactly("bob", "ada");
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
