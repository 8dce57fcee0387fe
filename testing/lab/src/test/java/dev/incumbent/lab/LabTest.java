package dev.incumbent.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the lab says of the protocols, in groups of five and with few seeds. */
class LabTest {
    private static final int SEEDS = 4;

    @ParameterizedTest
    @EnumSource(names = {"BULLY", "RING", "RING_LIST", "PING", "ROW_LOCK"})
    void inAPartitionTwoLead(LabProtocol protocol) {
        assertThat(cell(protocol, LabScenario.PARTITION).several()).isGreaterThan(5);
    }

    @Test
    void aPartitionOfTwoMembersPartsThem() {
        LabGrid grid = new LabGrid(
                List.of(LabProtocol.BULLY),
                List.of(LabScenario.PARTITION),
                List.of(2),
                List.of(LabGrid.USUAL_LEASE),
                1,
                1);

        assertThat(Lab.run(grid, 1, done -> {}).get(0).several()).isGreaterThan(30);
    }

    /** A naive lease is renewed by a leader that hears no answer and believes nothing any more, so nobody leads. */
    @ParameterizedTest
    @EnumSource(names = {"RAFT", "LEASE_FENCE", "LEASE", "FORGETFUL"})
    void inAPartitionALeaseHasOneLeader(LabProtocol protocol) {
        for (LabScenario scenario :
                List.of(LabScenario.PARTITION, LabScenario.ONE_WAY_UNHEARD, LabScenario.ONE_WAY_DEAF)) {
            LabCell cell = cell(protocol, scenario);

            assertThat(cell.several()).as(scenario.label()).isZero();
            boolean isNaive = protocol == LabProtocol.FORGETFUL && scenario == LabScenario.ONE_WAY_DEAF;
            assertThat(cell.takeover().never() > 0).as(scenario.label()).isEqualTo(isNaive);
        }
    }

    @Test
    void underPausesALeaseLosesWritesAndAFenceNone() {
        assertThat(underPauses(LabProtocol.LEASE).mapToLong(LabCell::lost).sum())
                .isPositive();
        assertThat(underPauses(LabProtocol.LEASE_FENCE).mapToLong(LabCell::lost).sum())
                .isPositive();
        assertThat(underPauses(LabProtocol.LEASE_FENCE)).allSatisfy(LabTest::losesNothing);
        assertThat(underPauses(LabProtocol.RAFT).mapToLong(LabCell::stale).sum())
                .isPositive();
        assertThat(underPauses(LabProtocol.RAFT)).allSatisfy(LabTest::losesNothing);
    }

    /** Even where clocks are worse than allowed for, and whatever else happens. Under long pauses the open copy loses some. */
    @ParameterizedTest
    @EnumSource
    void noWriteIsLostBehindAFence(LabScenario scenario) {
        for (LabProtocol protocol : List.of(LabProtocol.LEASE_FENCE, LabProtocol.RAFT)) {
            LabCell cell = cell(protocol, scenario);

            losesNothing(cell);
            assertThat(cell.acknowledged()).isPositive();
            if (scenario == LabScenario.LONG_PAUSE || scenario == LabScenario.PAUSES) {
                assertThat(cell.lost()).isPositive();
            }
        }
    }

    @Test
    void theStormOfABullyBeginsTwoLeadershipsForEachFlap() {
        assertThat(cell(LabProtocol.BULLY, LabScenario.GREATEST_FLAPS).leaderships())
                .isGreaterThanOrEqualTo(15);
        assertThat(cell(LabProtocol.LEASE_FENCE, LabScenario.GREATEST_FLAPS).leaderships())
                .isLessThanOrEqualTo(2);
    }

    @Test
    void eachWrongAnswerFailsInItsOwnWay() {
        assertThat(cell(LabProtocol.FLAG, LabScenario.LEADER_CRASH).none()).isGreaterThan(39);
        assertThat(cell(LabProtocol.WALL_CLOCK, LabScenario.CLOCK_STEP).several())
                .isPositive();
        assertThat(cell(LabProtocol.PING, LabScenario.LONG_PAUSE).several()).isGreaterThan(20);
        assertThat(cell(LabProtocol.ROW_LOCK, LabScenario.STORE_FAILOVER).several())
                .isGreaterThan(50);
        assertThat(cell(LabProtocol.FORGETFUL, LabScenario.STORE_FAILOVER).several())
                .isPositive();
    }

    @Test
    void withoutAMajorityRaftHasNoLeaderAndALeaseHas() {
        assertThat(cell(LabProtocol.RAFT, LabScenario.MAJORITY_LOST).none()).isGreaterThan(35);
        assertThat(cell(LabProtocol.LEASE_FENCE, LabScenario.MAJORITY_LOST).none())
                .isZero();
    }

    @Test
    void aHandoverLeavesNobodyForLessThanASecond() {
        for (LabProtocol protocol : List.of(LabProtocol.RAFT, LabProtocol.LEASE_FENCE)) {
            LabCell cell = cell(protocol, LabScenario.HANDOVER);

            assertThat(cell.takeover().count()).isEqualTo(SEEDS);
            assertThat(cell.takeover().p99()).isLessThan(1);
        }
    }

    @Test
    void theSameGridHasTheSameResultHoweverManyRunAtOnce() {
        LabGrid grid = new LabGrid(
                List.of(LabProtocol.values()),
                List.of(LabScenario.LOSSY, LabScenario.PAUSES),
                List.of(3),
                List.of(LabGrid.USUAL_LEASE),
                1,
                7);
        List<Integer> told = new ArrayList<>();

        List<LabCell> once = Lab.run(grid, 1, told::add);
        List<LabCell> again = Lab.run(grid, 2, done -> {});

        assertThat(again).isEqualTo(once);
        assertThat(told).hasSize(grid.places().size()).endsWith(grid.places().size());
    }

    private static void losesNothing(LabCell cell) {
        assertThat(cell.lostThoughFenced()).isZero();
        assertThat(cell.staleThoughFenced()).isZero();
    }

    private static Stream<LabCell> underPauses(LabProtocol protocol) {
        return Stream.of(LabScenario.LONG_PAUSE, LabScenario.PAUSES).map(scenario -> cell(protocol, scenario));
    }

    private static LabCell cell(LabProtocol protocol, LabScenario scenario) {
        LabGrid grid =
                new LabGrid(List.of(protocol), List.of(scenario), List.of(5), List.of(LabGrid.USUAL_LEASE), SEEDS, 1);
        return Lab.run(grid, 1, done -> {}).get(0);
    }
}
