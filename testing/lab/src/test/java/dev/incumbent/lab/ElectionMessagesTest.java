package dev.incumbent.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.lab.contender.Contenders;
import dev.incumbent.lab.world.FaultKind;
import dev.incumbent.lab.world.FaultTarget;
import dev.incumbent.lab.world.LabFault;
import dev.incumbent.lab.world.LabWorld;
import dev.incumbent.lab.world.Measured;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.peers.ring.RingForm;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lab counts as many messages of an election as the theory does, where one member alone begins it. Of n members the greatest leads and dies; the clock of one other runs at twice its
 * speed, so that it misses the leader long before the others.
 */
class ElectionMessagesTest {
    private static final PeerTiming TIMING = new PeerTiming(
            Duration.ofMillis(300), Duration.ofSeconds(6), Duration.ofMillis(400), Duration.ofMillis(1_600));

    /** ELECTION to the dead leader, COORDINATOR to the others: n - 1. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void theBestCaseOfABullyIsOneLessThanItsMembers(int n) {
        LabWorld world = new LabWorld(1, n);
        Contenders.bully(world, TIMING);

        assertThat(elections(world, n - 2)).isEqualTo(n - 1);
    }

    /** ELECTION, ALIVE and COORDINATOR together: n² - n - 1. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void theWorstCaseOfABullyIsOfTheSecondOrder(int n) {
        LabWorld world = new LabWorld(1, n);
        Contenders.bully(world, TIMING);

        assertThat(elections(world, 0)).isEqualTo(n * n - n - 1);
    }

    /** Twice round those that live and the way to the greatest of them; and once to the dead leader, which takes nothing. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void aRingPassesTwiceItsLengthAndTheWayToTheGreatest(int n) {
        int living = n - 1;
        for (int distance : List.of(0, 1, living - 1)) {
            LabWorld world = new LabWorld(1, n);
            Contenders.ring(world, TIMING, RingForm.GREATEST);

            assertThat(elections(world, living - 1 - distance))
                    .as("%s steps", distance)
                    .isEqualTo(2 * living + distance + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void aRingThatCollectsAListPassesTwiceItsLength(int n) {
        LabWorld world = new LabWorld(1, n);
        Contenders.ring(world, TIMING, RingForm.LIST);

        assertThat(elections(world, 0)).isEqualTo(2 * (n - 1) + 1);
    }

    /** The leader does not hear for a while and steps down; then all hear each other again. Pre-vote, vote and first heartbeat, each with its answer; more where two members stand at once, fewer where one is bound a little longer and refuses in silence. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void anElectionOfRaftWithPreVoteIsSixTimesTheOthers(int n) {
        LabFault deaf =
                new LabFault(Duration.ofSeconds(5), FaultKind.DEAF, FaultTarget.Role.LEADER, Duration.ofMillis(1_050));

        assertThat(countsOfRaft(n, deaf)).contains(6L * (n - 1));
    }

    /** TimeoutNow stands for the pre-vote. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void aHandoverOfRaftIsFourTimesTheOthersAndTimeoutNow(int n) {
        LabFault handover =
                new LabFault(Duration.ofSeconds(5), FaultKind.HAND_OVER, FaultTarget.Role.LEADER, Duration.ZERO);

        assertThat(countsOfRaft(n, handover)).contains(4L * (n - 1) + 1);
    }

    private static long elections(LabWorld world, int hasty) {
        Measured measured = world.run(
                List.of(
                        new LabFault(
                                Duration.ofSeconds(1),
                                FaultKind.CLOCK_RATE,
                                new FaultTarget.One(hasty),
                                Duration.ofSeconds(50),
                                2),
                        new LabFault(
                                Duration.ofSeconds(20),
                                FaultKind.CRASH,
                                FaultTarget.Role.GREATEST,
                                Duration.ofSeconds(50))),
                Duration.ofSeconds(40));
        assertThat(measured.begun()).isEqualTo(1);
        return measured.elections();
    }

    private static List<Long> countsOfRaft(int n, LabFault fault) {
        return IntStream.range(0, 8)
                .mapToObj(seed -> {
                    LabWorld world = new LabWorld(seed, n);
                    Contenders.raft(world, RaftTiming.DEFAULT);
                    Measured measured = world.run(List.of(fault), Duration.ofSeconds(20));
                    assertThat(measured.begun()).isEqualTo(1);
                    return measured.elections();
                })
                .toList();
    }
}
