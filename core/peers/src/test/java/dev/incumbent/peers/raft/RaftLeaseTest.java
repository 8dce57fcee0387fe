package dev.incumbent.peers.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Members that run with different leases, and durations that are refused. */
class RaftLeaseTest {
    private static final MemberId A = new MemberId("a");
    private static final MemberId B = new MemberId("b");
    private static final PeerGroup GROUP = new PeerGroup(B, List.of(A, B, new MemberId("c")));
    private static final long SECOND = 1_000_000_000;
    private static final RaftProtocol MEMBER = new RaftProtocol(GROUP, timing(1, 3));

    @Test
    void aMemberIsBoundForTheLeaseOfTheLeaderAndNotForItsOwn() {
        Step<RaftState, RaftEffect> heard = heartbeat(2 * SECOND);

        assertThat(heard.effects()).contains(new RaftEffect.Send(A, new RaftMessage.HeartbeatTaken(1, 42)));
        assertThat(heard.state().promise().boundUntilNanos()).isEqualTo(12 * SECOND);
        assertThat(vote(heard.state(), 12 * SECOND - 1).effects()).isEmpty();
        assertThat(vote(heard.state(), 12 * SECOND).effects())
                .contains(new RaftEffect.Send(A, new RaftMessage.GrantVote(2)));
    }

    @Test
    void aLeaseThatIsLongerThanTheLongestGetsNoAnswer() {
        Step<RaftState, RaftEffect> heard = heartbeat(4 * SECOND);

        assertThat(heard.effects()).contains(new RaftEffect.FollowLeader(A, 1));
        assertThat(heard.effects()).noneMatch(RaftLeaseTest::isAnswer);
        assertThat(heard.state().promise().boundUntilNanos())
                .as("bound for the longest lease, and no longer")
                .isEqualTo(13 * SECOND);
    }

    @Test
    void aClockThatJumpsForwardEndsNoPromise() {
        RaftState heard = heartbeat(2 * SECOND).state();
        RaftEvent asked = new RaftEvent.Received(A, new RaftMessage.RequestVote(2, false));

        assertThat(MEMBER.step(heard, asked, at(100 * SECOND), 12 * SECOND - 1, 0)
                        .effects())
                .isEmpty();
        assertThat(MEMBER.step(heard, asked, at(100 * SECOND), 12 * SECOND, 0).effects())
                .contains(new RaftEffect.Send(A, new RaftMessage.GrantVote(2)));
        RaftState started = MEMBER.step(
                        RaftState.START,
                        new RaftEvent.Started(Optional.of(new RaftDisk("g", 1, Optional.empty()))),
                        at(100 * SECOND),
                        5 * SECOND,
                        0)
                .state();
        assertThat(MEMBER.step(started, asked, at(200 * SECOND), 8 * SECOND - 1, 0)
                        .effects())
                .isEmpty();
        assertThat(MEMBER.step(started, asked, at(200 * SECOND), 8 * SECOND, 0).effects())
                .contains(new RaftEffect.Send(A, new RaftMessage.GrantVote(2)));
    }

    /** Its lease is 1 s, the longest one 3 s, and it stands after 2 to 5 s: of these each is used for what it is for. */
    @Test
    void aLeaderCountsOnItsOwnLeaseAndTellsIt() {
        Step<RaftState, RaftEffect> started = started(7);
        assertThat(started.wakeAtNanos()).isEqualTo(5 * SECOND + 7);

        RaftState candidate = heard(woken(started.state(), 6 * SECOND), new RaftMessage.GrantPreVote(2), 6 * SECOND)
                .state();
        Step<RaftState, RaftEffect> elected = heard(candidate, new RaftMessage.GrantVote(2), 7 * SECOND);
        assertThat(elected.effects())
                .contains(new RaftEffect.Send(A, new RaftMessage.Heartbeat(2, 7 * SECOND, SECOND)));

        Step<RaftState, RaftEffect> leads =
                heard(elected.state(), new RaftMessage.HeartbeatTaken(2, 7 * SECOND), 7 * SECOND + 9);
        assertThat(leads.effects()).contains(new RaftEffect.BeginLeading(2));
        assertThat(leads.state().led().map(LedTerm::leaseEndsAtNanos)).contains(8 * SECOND);
    }

    @Test
    void theLeaseOfALeaderIsShortByTheDriftOfBothClocks() {
        assertThat(RaftTiming.DEFAULT.validForNanos()).isBetween(997_900_000L, 998_100_000L);
    }

    @Test
    void durationsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> timing(2, 1)).hasMessageContaining("at least the lease of PT2S");
        assertThatThrownBy(() -> new RaftTiming(
                        Duration.ofMillis(400),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofMillis(200),
                        0))
                .hasMessageContaining("two heartbeats of PT0.4S do not fit into a lease of PT1S");
        assertThatThrownBy(() -> new RaftProtocol(new PeerGroup(A, List.of(A)), RaftTiming.DEFAULT))
                .hasMessageContaining("at least two members");
    }

    private static Step<RaftState, RaftEffect> heartbeat(long lease) {
        return MEMBER.step(
                started(0).state(),
                new RaftEvent.Received(A, new RaftMessage.Heartbeat(1, 42, lease)),
                at(10 * SECOND),
                3 * SECOND);
    }

    private static Step<RaftState, RaftEffect> started(long dice) {
        RaftDisk disk = new RaftDisk("g", 1, Optional.empty());
        return MEMBER.step(RaftState.START, new RaftEvent.Started(Optional.of(disk)), at(0), dice);
    }

    private static RaftState woken(RaftState state, long now) {
        return MEMBER.step(state, new RaftEvent.Woken(), at(now), 0).state();
    }

    private static Step<RaftState, RaftEffect> heard(RaftState state, RaftMessage message, long now) {
        return MEMBER.step(state, new RaftEvent.Received(A, message), at(now), 0);
    }

    private static Step<RaftState, RaftEffect> vote(RaftState state, long now) {
        return MEMBER.step(state, new RaftEvent.Received(A, new RaftMessage.RequestVote(2, false)), at(now), 0);
    }

    private static boolean isAnswer(RaftEffect effect) {
        return effect instanceof RaftEffect.Send send && send.message() instanceof RaftMessage.HeartbeatTaken;
    }

    private static RaftTiming timing(int lease, int longest) {
        return new RaftTiming(
                Duration.ofMillis(300),
                Duration.ofSeconds(lease),
                Duration.ofSeconds(longest),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofMillis(200),
                0);
    }

    private static Moment at(long nanos) {
        return new Moment(nanos, 0);
    }
}
