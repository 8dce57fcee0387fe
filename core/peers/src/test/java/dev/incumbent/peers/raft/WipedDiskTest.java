package dev.incumbent.peers.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A member with an empty disk, to which the others tell different things. */
class WipedDiskTest {
    private static final MemberId A = new MemberId("a");
    private static final MemberId B = new MemberId("b");
    private static final MemberId C = new MemberId("c");
    private static final RaftProtocol MEMBER = new RaftProtocol(new PeerGroup(B, List.of(A, B, C)), RaftTiming.DEFAULT);
    private static final long NONCE = 77;

    @Test
    void anAnswerToAnEarlierStartsQuestionCountsForNothing() {
        RaftState asking =
                told(wiped(), A, new RaftMessage.TellTerm(NONCE - 1, "g", 9)).state();

        Step<RaftState, RaftEffect> told = told(asking, C, new RaftMessage.TellTerm(NONCE, "g", 5));

        assertThat(told.state().role()).isEqualTo(RaftRole.WIPED);
        assertThat(told.effects()).noneMatch(RaftEffect.Persist.class::isInstance);
    }

    /** As where two groups were founded in its place: it cannot know whose member it was. */
    @Test
    void whileTheOthersAreOfTwoGroupsItTakesNoPart() {
        RaftState asking =
                told(wiped(), A, new RaftMessage.TellTerm(NONCE, "g", 9)).state();

        Step<RaftState, RaftEffect> torn = told(asking, C, new RaftMessage.TellTerm(NONCE, "h", 5));
        assertThat(torn.state().role()).isEqualTo(RaftRole.WIPED);
        assertThat(torn.effects()).noneMatch(RaftEffect.Persist.class::isInstance);

        Step<RaftState, RaftEffect> begun = told(torn.state(), A, new RaftMessage.TellTerm(NONCE, "h", 9));
        assertThat(begun.effects()).contains(new RaftEffect.Persist(new RaftDisk("h", 9, Optional.of(B))));
    }

    private static RaftState wiped() {
        return MEMBER.step(RaftState.START, new RaftEvent.Started(Optional.empty()), new Moment(0, 0), NONCE)
                .state();
    }

    private static Step<RaftState, RaftEffect> told(RaftState state, MemberId from, RaftMessage message) {
        return MEMBER.step(state, new RaftEvent.Received(from, message), new Moment(9, 0), 0);
    }
}
