package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a lease is over by this node's clock, and what a watch is told. */
final class SharedTableTest {
    private final VirtualTimeline time = new VirtualTimeline();
    private final SharedTable table = new SharedTable(time);
    private long index;

    @Test
    void aLeaseIsOverWhenItsLengthHasPassedSinceItsGrantAndNotBefore() {
        apply("GRANT", "L1", "ada", "2000");

        time.advance(Duration.ofSeconds(2).minusNanos(1));
        assertThat(table.overdue()).isEmpty();

        time.advance(Duration.ofNanos(1));
        assertThat(table.overdue()).containsExactly("EXPIRE\tL1\t0");
    }

    @Test
    void aLeaseCountsFromItsLastKeepAliveAndItsEndNamesThatVersion() {
        apply("GRANT", "L1", "ada", "2000");
        time.advance(Duration.ofMillis(1_500));
        apply("KEEP", "L1");
        time.advance(Duration.ofMillis(1_999));
        assertThat(table.overdue()).isEmpty();

        time.advance(Duration.ofMillis(1));

        assertThat(table.overdue()).containsExactly("EXPIRE\tL1\t1");
    }

    @Test
    void anEndIsProposedAgainAfterHalfASecondAlone() {
        apply("GRANT", "L1", "ada", "2000");
        time.advance(Duration.ofSeconds(2));
        assertThat(table.overdue()).hasSize(1);

        time.advance(Duration.ofMillis(499));
        assertThat(table.overdue()).isEmpty();

        time.advance(Duration.ofMillis(1));
        assertThat(table.overdue()).containsExactly("EXPIRE\tL1\t0");
    }

    @Test
    void anEndThatAKeepAliveCameBeforeIsNotQuietAfterwards() {
        apply("GRANT", "L1", "ada", "1000");
        time.advance(Duration.ofSeconds(1));
        assertThat(table.overdue()).hasSize(1);
        apply("KEEP", "L1");

        time.advance(Duration.ofSeconds(1));

        assertThat(table.overdue()).containsExactly("EXPIRE\tL1\t1");
    }

    @Test
    void aNewLeaderGivesEveryLeaseItsWholeLengthAgain() {
        apply("GRANT", "L1", "ada", "2000");
        time.advance(Duration.ofMillis(1_999));
        table.restartLeases();

        time.advance(Duration.ofMillis(1_999));
        assertThat(table.overdue()).isEmpty();

        time.advance(Duration.ofMillis(1));
        assertThat(table.overdue()).hasSize(1);
    }

    @Test
    void aSnapshotGivesEveryLeaseItsWholeLengthAgain() {
        apply("GRANT", "L1", "ada", "2000");
        apply("KEEP", "L1");
        List<String> saved = table.saved();
        time.advance(Duration.ofMillis(1_999));
        table.restore(saved, index);

        time.advance(Duration.ofMillis(1_999));
        assertThat(table.overdue()).isEmpty();

        time.advance(Duration.ofMillis(1));
        assertThat(table.overdue()).containsExactly("EXPIRE\tL1\t1");
    }

    @Test
    void whatIsLeftOfALeaseIsToldAndNeverLessThanAMillisecond() {
        apply("GRANT", "L1", "ada", "2000");
        apply("SWAP", "billing", "", "x1", "L1", "{}");

        time.advance(Duration.ofMillis(500));
        assertThat(table.query("READ\tbilling")).isEqualTo("READ\tbilling\tx1\t1\t1500\t{}");

        time.advance(Duration.ofSeconds(5));
        assertThat(table.query("READ\tbilling")).isEqualTo("READ\tbilling\tx1\t1\t1\t{}");

        apply("EXPIRE", "L1", "0");
        assertThat(table.query("READ\tbilling")).isEqualTo("READ\tbilling\tx1\t0\t0\t{}");
    }

    @Test
    void aRefusedSwapIsToldWhatIsThere() {
        apply("SWAP", "billing", "", "x1", "", "{1}");

        assertThat(apply("SWAP", "billing", "x0", "x2", "", "{2}")).isEqualTo("REFUSED\tbilling\tx1\t0\t0\t{1}");
    }

    @Test
    void aWatchIsToldWhatChangedAfterItsPositionAndNothingElse() {
        apply("EPOCH", "e1");
        apply("SWAP", "billing", "", "x1", "", "{1}");
        apply("SWAP", "shipping", "", "y1", "", "{2}");
        apply("SWAP", "unwatched", "", "z1", "", "{3}");
        Set<String> names = Set.of("billing", "shipping");

        assertThat(table.changes("2@e1", names, Set.of()))
                .containsExactly("AT\t4@e1", "READ\t3\tshipping\ty1\t0\t0\t{2}");
        assertThat(table.changes("3@e1", names, Set.of())).containsExactly("AT\t4@e1");
    }

    @Test
    void aWatchThatIsNewIsToldOfWhatHasNoRecord() {
        apply("EPOCH", "e1");

        assertThat(table.changes("1@e1", Set.of("billing"), Set.of("billing")))
                .containsExactly("AT\t1@e1", "READ\t0\tbilling");
    }

    @Test
    void aPositionOfAnotherLogIsToldAsAGapWithAllThereIs() {
        apply("EPOCH", "e1");
        apply("SWAP", "billing", "", "x1", "", "{1}");

        for (String position : List.of("2@e0", "9@e1")) {
            assertThat(table.changes(position, Set.of("billing"), Set.of()))
                    .containsExactly("AT\t2@e1", "GAP", "READ\t2\tbilling\tx1\t0\t0\t{1}");
        }
    }

    @Test
    void theDeathOfALeaseIsAChangeOfWhatItLed() {
        List<Set<String>> told = new ArrayList<>();
        apply("EPOCH", "e1");
        apply("GRANT", "L1", "ada", "2000");
        apply("SWAP", "billing", "", "x1", "L1", "{}");
        apply("SWAP", "shipping", "", "y1", "L2", "{}");
        table.listen(told::add);

        apply("REVOKE", "L1");

        assertThat(told).containsExactly(Set.of("billing"));
        assertThat(table.changes("4@e1", Set.of("billing", "shipping"), Set.of()))
                .containsExactly("AT\t5@e1", "READ\t5\tbilling\tx1\t0\t0\t{}");
    }

    @Test
    void aSnapshotIsToldAsAChangeOfAllThatItHolds() {
        List<Set<String>> told = new ArrayList<>();
        apply("SWAP", "billing", "", "x1", "", "{}");
        apply("GRANT", "L1", "ada", "2000");
        apply("ENLIST", "shipping", "ada", "L1", "{}");
        table.listen(told::add);

        table.restore(table.saved(), index);

        assertThat(told).containsExactly(Set.of("billing", "shipping"));
    }

    @Test
    void aSnapshotsPositionIsTheIndexThatItWasTakenAt() {
        apply("EPOCH", "e1");
        apply("SWAP", "billing", "", "x1", "", "{}");

        table.restore(table.saved(), 40);

        assertThat(table.changes("2@e1", Set.of("billing"), Set.of())).containsExactly("AT\t40@e1");
    }

    private String apply(String... fields) {
        return table.apply(++index, Line.of(fields));
    }
}
