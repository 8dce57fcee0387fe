package dev.incumbent.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import org.junit.jupiter.api.Test;

class MarkRuleTest {
    private static final MarkOwner ME = MarkOwner.ofCandidate(new CandidateId("a@h-1-x"));
    private static final MarkOwner OTHER = MarkOwner.ofCandidate(new CandidateId("b@h-2-y"));
    private static final MarkOwner FREEZE = MarkOwner.ofFreeze("ops");

    @Test
    void aLowerOrAbsentMarkIsRaised() {
        assertRaised(MarkRule.unmarked(), mark(7, ME));
        assertRaised(at(6, OTHER), mark(7, ME));
    }

    @Test
    void anEqualMarkIsRaisedAgainByItsOwnerAlone() {
        assertRaised(at(7, ME), mark(7, ME));
        assertRaised(at(7, FREEZE), mark(7, FREEZE));
        assertRefused(at(7, OTHER), mark(7, ME));
        assertRefused(at(7, FREEZE), mark(7, MarkOwner.ofFreeze("another")));
    }

    @Test
    void aHigherMarkRefusesItsOwnOwnerToo() {
        assertRefused(at(8, ME), mark(7, ME));
        assertRefused(at(8, FREEZE), mark(7, FREEZE));
    }

    @Test
    void onlyAFreezeOrAThawThatNamesItPassesAFreeze() {
        assertRefused(at(7, FREEZE), mark(9, ME));
        assertRefused(at(7, FREEZE), mark(9, MarkOwner.ofOperator("ops")));
        assertRefused(at(7, FREEZE), mark(9, MarkOwner.ofThaw("ops", 6)));
        assertRefused(at(7, FREEZE), mark(7, MarkOwner.ofThaw("ops", 7)));
        assertRaised(at(7, FREEZE), mark(8, MarkOwner.ofFreeze("another")));
        assertRaised(at(7, FREEZE), mark(9, MarkOwner.ofThaw("ops", 7)));
    }

    @Test
    void aThawsMarkMayBePassed() {
        assertRaised(at(9, MarkOwner.ofThaw("ops", 7)), mark(10, ME));
    }

    @Test
    void aRaiseByMoreThanTwoToTheThirtyTwoIsTooFar() {
        long furthest = 7 + Raise.FURTHEST;

        assertRaised(at(7, OTHER), mark(furthest, ME));
        assertThat(at(7, OTHER).raise(mark(furthest + 1, ME))).isEqualTo(new Raise.TooFar(7));
        assertThat(MarkRule.unmarked().raise(mark(Long.MAX_VALUE, ME))).isEqualTo(new Raise.TooFar(0));
    }

    @Test
    void onlyTheTokenThatEqualsTheMarkIsAdmitted() throws Exception {
        var election = new ElectionName("billing");

        at(7, ME).admit(election, new FencingToken(7));

        assertThatThrownBy(() -> at(7, ME).admit(election, new FencingToken(6)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessage("stale token 6 of billing: the mark is 7 of candidate:a@h-1-x");
        assertThatThrownBy(() -> at(7, ME).admit(election, new FencingToken(8))).isInstanceOf(NotRaisedException.class);
        assertThatThrownBy(() -> MarkRule.unmarked().admit(election, new FencingToken(1)))
                .isInstanceOf(NotRaisedException.class)
                .hasMessage("token 1 of billing was not raised here: the mark is absent");
    }

    @Test
    void whoeverIsStaleIsToldForWhichElectionAndToken() {
        StaleTokenException stale =
                new StaleTokenException(new ElectionName("billing"), new FencingToken(6), "7 of candidate:a");

        assertThat(stale.election()).isEqualTo(new ElectionName("billing"));
        assertThat(stale.token()).isEqualTo(new FencingToken(6));
    }

    private static void assertRaised(MarkRule rule, Mark asked) {
        assertThat(rule.raise(asked)).isEqualTo(new Raise.Raised(asked));
    }

    private static void assertRefused(MarkRule rule, Mark asked) {
        assertThat(rule.raise(asked)).isInstanceOf(Raise.Refused.class);
    }

    private static MarkRule at(long token, MarkOwner owner) {
        return MarkRule.at(mark(token, owner));
    }

    private static Mark mark(long token, MarkOwner owner) {
        return new Mark(new FencingToken(token), owner);
    }
}
