package dev.incumbent.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.bully.BullyMessage;
import dev.incumbent.peers.bully.BullyState;
import dev.incumbent.peers.ring.RingForm;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An election costs as many messages as the theory says. Heartbeats are not counted, nor the answers by which a token is known to be taken. */
class MessageCountTest {
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void theBestCaseOfABullyIsOneLessThanItsMembers(int n) {
        List<MemberId> ring = members(n);
        PeerRounds<BullyState, BullyMessage> rounds = afterTheCrash(PeerMachine.bully(), ring, ring.get(n - 1));

        rounds.hasten(ring.get(n - 2), PeerMachineTimes::missesItsLeader);
        rounds.run(400 * PeerRounds.MILLI);

        List<BullyMessage> sent = counted(rounds.sent());
        assertThat(rounds.leaders()).containsExactly(ring.get(n - 2));
        assertThat(sent).hasSize(n - 1);
    }

    /** The least member misses the leader, and each greater one holds an election: n (n - 1) / 2 of its messages, and n² - n - 1 with answers and announcements. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void theWorstCaseOfABullyIsOfTheSecondOrder(int n) {
        List<MemberId> ring = members(n);
        PeerRounds<BullyState, BullyMessage> rounds = afterTheCrash(PeerMachine.bully(), ring, ring.get(n - 1));

        rounds.hasten(ring.get(0), PeerMachineTimes::missesItsLeader);
        rounds.run(400 * PeerRounds.MILLI);

        List<BullyMessage> sent = counted(rounds.sent());
        assertThat(rounds.leaders()).containsExactly(ring.get(n - 2));
        assertThat(Collections.frequency(sent, BullyMessage.ELECTION)).isEqualTo(n * (n - 1) / 2);
        assertThat(sent).hasSize(n * n - n - 1);
    }

    /** All members live; the initiator is so many steps before the greatest. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void aRingPassesTwiceItsLengthAndTheWayToTheGreatest(int m) {
        List<MemberId> ring = members(m);
        for (int distance = 0; distance < m; distance++) {
            PeerRounds<RingState, RingMessage> rounds = PeerRounds.settled(PeerMachine.ring(RingForm.GREATEST), ring);
            rounds.run(100 * PeerRounds.MILLI);
            rounds.sent();

            rounds.hasten(ring.get(m - 1 - distance), PeerMachineTimes::missesItsLeader);
            rounds.run(190 * PeerRounds.MILLI);

            assertThat(passed(rounds.sent())).as("%s steps", distance).isEqualTo(2 * m + distance);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 31})
    void aRingThatCollectsAListPassesTwiceItsLength(int m) {
        List<MemberId> ring = members(m);
        PeerRounds<RingState, RingMessage> rounds = PeerRounds.settled(PeerMachine.ring(RingForm.LIST), ring);
        rounds.run(100 * PeerRounds.MILLI);
        rounds.sent();

        rounds.hasten(ring.get(0), PeerMachineTimes::missesItsLeader);
        rounds.run(190 * PeerRounds.MILLI);

        assertThat(passed(rounds.sent())).isEqualTo(2 * m);
    }

    private static <S, M> PeerRounds<S, M> afterTheCrash(
            PeerMachine.Kind<S, M> kind, List<MemberId> ring, MemberId leader) {
        PeerRounds<S, M> rounds = PeerRounds.settled(kind, ring);
        assertThat(rounds.leaders()).containsExactly(leader);
        rounds.crash(leader);
        rounds.run(550 * PeerRounds.MILLI);
        rounds.sent();
        return rounds;
    }

    private static List<BullyMessage> counted(List<BullyMessage> sent) {
        List<BullyMessage> counted = new ArrayList<>(sent);
        counted.removeIf(message -> message == BullyMessage.HEARTBEAT);
        return counted;
    }

    private static int passed(List<RingMessage> sent) {
        return (int) sent.stream()
                .filter(message -> message instanceof RingMessage.Passed)
                .count();
    }

    private static List<MemberId> members(int n) {
        return IntStream.range(0, n)
                .mapToObj(i -> new MemberId("m%02d".formatted(i)))
                .toList();
    }
}
