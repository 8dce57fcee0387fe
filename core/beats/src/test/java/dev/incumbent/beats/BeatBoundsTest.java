package dev.incumbent.beats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One process, step by step, at the very instants at which something begins or ends. */
class BeatBoundsTest {
    private static final long MILLI = 1_000_000;
    private static final Peer LEADER = new Peer(new CandidateId("l"), "l:1");
    private static final Peer OTHER = new Peer(new CandidateId("b"), "b:1");
    private static final Rhythm ALONE = new Rhythm(Duration.ofMillis(50), 3, true);

    private final BeatProtocol protocol = new BeatProtocol(new Peer(new CandidateId("a"), "a:1"), ALONE);
    private BeatState state = BeatState.START;
    private long sequence;

    @Test
    void aSilenceBeginsAtItsVeryInstant() {
        hearTheLeaderAt(0);
        wakeUntil(149);
        assertThat(step(149, new BeatEvent.Woken())).noneMatch(BeatEffect.Suspect.class::isInstance);

        assertThat(step(150, new BeatEvent.Woken())).anyMatch(BeatEffect.Suspect.class::isInstance);
    }

    @Test
    void twoBeatsWithoutAStepAreAPause() {
        hearTheLeaderAt(0);
        step(99, new BeatEvent.Woken());
        assertThat(state.ear().listensSinceNanos()).isZero();

        step(199, new BeatEvent.Woken());
        assertThat(state.ear().listensSinceNanos()).isEqualTo(199 * MILLI);
    }

    @Test
    void whatItsOwnElectionsTellShowsNotThatAProcessReads() {
        hearTheLeaderAt(0);
        step(60, new BeatEvent.Leads(Map.of()));
        step(99, new BeatEvent.Follows(Map.of(LEADER.id(), LEADER.address())));
        step(199, new BeatEvent.Leads(Map.of()));
        assertThat(state.ear().listensSinceNanos()).isEqualTo(199 * MILLI);

        step(250, new BeatEvent.Woken());
        assertThat(state.ear().listensSinceNanos()).isEqualTo(250 * MILLI);
    }

    @Test
    void aSilenceIsConfirmedFromItsVeryInstant() {
        listenBesideAnotherUntil(140);
        step(149, new BeatEvent.Received(2, new Message.Beat(149, 0)));
        BeatEvent question = new BeatEvent.Received(2, new Message.Question(7, LEADER.id(), 1));

        assertThat(step(149, question)).doesNotContain(new BeatEffect.Send(2, new Message.Vote(7, LEADER.id())));
        assertThat(step(150, question)).contains(new BeatEffect.Send(2, new Message.Vote(7, LEADER.id())));
    }

    @Test
    void whoeverHearsTheOthersABeatLongerThanTheLeaderAsksThem() {
        listenBesideAnotherUntil(0);
        step(50, new BeatEvent.Received(2, new Message.Beat(50, 0)));
        step(100, new BeatEvent.Woken());
        assertThat(step(150, new BeatEvent.Woken()))
                .contains(new BeatEffect.Send(2, new Message.Question(150 * MILLI, LEADER.id(), 1)));
    }

    @Test
    void whoeverHearsTheOthersHardlyLongerThanTheLeaderAsksNobody() {
        listenBesideAnotherUntil(0);
        step(49, new BeatEvent.Received(2, new Message.Beat(49, 0)));
        step(100, new BeatEvent.Woken());
        assertThat(step(150, new BeatEvent.Woken()))
                .noneMatch(
                        effect -> effect instanceof BeatEffect.Send send && send.message() instanceof Message.Question);
    }

    @Test
    void patienceIsHalvedTenMinutesAfterTheMistake() {
        hearTheLeaderAt(0);
        wakeUntil(160);
        step(200, beat());
        assertThat(state.ear().patience()).isEqualTo(2);

        step(600_199, new BeatEvent.Woken());
        assertThat(state.ear().patience()).isEqualTo(2);
        step(600_200, new BeatEvent.Woken());
        assertThat(state.ear().patience()).isEqualTo(1);
    }

    @Test
    void ofTwoConnectionsTheOneThatTheLargerHasDialledIsEnded() {
        step(0, new BeatEvent.Connected(1, OTHER, true));
        assertThat(step(1, new BeatEvent.Connected(2, OTHER, false)))
                .contains(new BeatEffect.Send(2, new Message.Goodbye()), new BeatEffect.Drop(2))
                .doesNotContain(new BeatEffect.Drop(1));

        state = BeatState.START;
        step(0, new BeatEvent.Connected(2, OTHER, false));
        assertThat(step(1, new BeatEvent.Connected(1, OTHER, true)))
                .contains(new BeatEffect.Send(2, new Message.Goodbye()), new BeatEffect.Drop(2))
                .doesNotContain(new BeatEffect.Drop(1));
    }

    @Test
    void heardAgainWithinTwentyBeatsItWasAMistake() {
        hearTheLeaderAt(0);
        wakeUntil(1150);
        assertThat(state.doubts()).hasSize(1);
        BeatState suspected = state;

        assertThat(step(1150, beat())).anyMatch(BeatEffect.TellMistake.class::isInstance);

        state = suspected;
        assertThat(step(1151, beat())).noneMatch(BeatEffect.TellMistake.class::isInstance);
    }

    @Test
    void aConnectionIsGivenUpAfterAHundredBeatsOfSilence() {
        hearTheLeaderAt(0);
        wakeUntil(4999);
        assertThat(step(4999, new BeatEvent.Woken())).noneMatch(BeatEffect.Drop.class::isInstance);

        assertThat(step(5000, new BeatEvent.Woken())).contains(new BeatEffect.Drop(1));
    }

    @Test
    void aVoteCountsUntilThreeBeatsAfterItsQuestionAndNotBeforeIt() {
        listenBesideAnother();
        BeatState silent = state;

        assertThat(step(300, vote(150))).anyMatch(BeatEffect.Suspect.class::isInstance);
        state = silent;
        assertThat(step(300, vote(149))).noneMatch(BeatEffect.Suspect.class::isInstance);
        state = silent;
        assertThat(step(300, vote(300))).anyMatch(BeatEffect.Suspect.class::isInstance);
        state = silent;
        assertThat(step(300, vote(301))).noneMatch(BeatEffect.Suspect.class::isInstance);
    }

    @Test
    void aBeatThatEndsAPauseTellsNothingOfTheOthersRhythm() {
        hearTheLeaderAt(0);
        wakeUntil(45);
        step(50, beat());
        step(200, beat());
        assertThat(link().heard().deviationNanos()).isZero();

        step(290, beat());
        assertThat(link().heard().deviationNanos()).isEqualTo(40 * MILLI / 8);
    }

    /** Alone on the list of the leader, which has said its last word. */
    private void hearTheLeaderAt(long millis) {
        step(millis, new BeatEvent.Follows(Map.of(LEADER.id(), LEADER.address())));
        step(millis, new BeatEvent.Connected(1, LEADER, true));
        step(millis, announcement(Map.of(new CandidateId("a"), "a:1")));
        step(millis, beat());
    }

    /** Another one listens, too, and is heard all the time; the leader is not. */
    private void listenBesideAnother() {
        listenBesideAnotherUntil(300);
    }

    private void listenBesideAnotherUntil(long millis) {
        step(0, new BeatEvent.Follows(Map.of(LEADER.id(), LEADER.address())));
        step(0, new BeatEvent.Connected(1, LEADER, true));
        step(0, new BeatEvent.Connected(2, OTHER, true));
        step(0, announcement(Map.of(new CandidateId("a"), "a:1", OTHER.id(), OTHER.address())));
        step(0, beat());
        for (long at = 50; at <= millis; at += 50) {
            step(at, new BeatEvent.Received(2, new Message.Beat(at, 0)));
        }
    }

    private static BeatEvent announcement(Map<CandidateId, String> listeners) {
        return new BeatEvent.Received(
                1, new Message.Change(0, 1, Map.of(Mesh.ELECTION, 1L), Set.of(), listeners, Set.of()));
    }

    private BeatEvent beat() {
        return new BeatEvent.Received(1, new Message.Beat(++sequence, 1));
    }

    private static BeatEvent vote(long askedAt) {
        return new BeatEvent.Received(2, new Message.Vote(askedAt * MILLI, LEADER.id()));
    }

    private Link link() {
        return state.links().values().iterator().next();
    }

    private void wakeUntil(long millis) {
        for (long at = state.ear().readAtNanos() / MILLI; at < millis; at += 10) {
            step(at, new BeatEvent.Woken());
        }
    }

    private List<BeatEffect> step(long millis, BeatEvent event) {
        Step<BeatState, BeatEffect> step =
                protocol.step(state, event, new Moment(millis * MILLI, Instant.EPOCH.plusMillis(millis)));
        state = step.state();
        return new ArrayList<>(step.effects());
    }
}
