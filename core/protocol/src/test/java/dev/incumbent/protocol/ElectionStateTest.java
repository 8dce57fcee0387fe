package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ElectionStateTest {
    private static final Moment NOW = new Moment(0, Instant.EPOCH);

    private final Setup setup = Setup.of(new ElectionName("billing"), candidate("ada"), Actor.TIMING, Map.of());

    @Test
    void whatWasRememberedOfACandidacyBeforeTakesThePlaceOfNothing() {
        Memory before = Memory.BLANK.won(7).oneMoreNonce();

        ElectionState state = led("La", 1).remembering(before);

        assertThat(state.memory()).isEqualTo(before);
        assertThat(state.remembering(led("La", 1).memory())).isEqualTo(led("La", 1));
    }

    @Test
    void whatTwoElectionsHaveInCommonIsHeldOnce() {
        ElectionState one = led("La", 1);
        ElectionState other = led("La", 1);

        ElectionState shared = one.sharing(other);

        assertThat(shared).isEqualTo(one);
        assertThat(shared.standing()).isSameAs(other.standing());
        assertThat(shared.lease()).isSameAs(other.lease());
        assertThat(shared.memory()).isSameAs(other.memory());
        assertThat(shared.record()).isSameAs(other.record());
    }

    @Test
    void whatTwoElectionsDoNotHaveInCommonStays() {
        ElectionState one = led("La", 1);
        ElectionState other = led("Lb", 2);

        assertThat(one.sharing(other)).isEqualTo(one);
        assertThat(one.sharing(ElectionState.START)).isEqualTo(one);
        assertThat(ElectionState.START.sharing(one)).isEqualTo(ElectionState.START);
    }

    /** Elections share after each step; most steps change nothing that could be shared. */
    @Test
    void whatIsHeldOnceAlreadyIsNotHeldAnew() {
        ElectionState one = led("La", 1);

        assertThat(one.sharing(one)).isSameAs(one);
        assertThat(one.known().sharing(one.known())).isSameAs(one.known());
    }

    @Test
    void aRevisionIsHeldOnceAlsoWhereWhatIsToldOfItsLeaseChanges() {
        Known known = Known.NOTHING.told(observed("n1", true), 0);

        ObservedRecord dead = known.told(observed("n1", false), 1).observed().orElseThrow();

        assertThat(dead.leaseAlive()).isFalse();
        assertThat(dead.revision()).isSameAs(known.observed().orElseThrow().revision());
    }

    @Test
    void aRecordThatIsToldAgainIsHeldOnceWhoeverTellsIt() {
        ObservedRecord first = observed("n1", true);
        ObservedRecord again = observed("n1", true);

        Known known = Known.NOTHING.told(first, 0);

        assertThat(known.told(again, 1).observed()).isEqualTo(Optional.of(first));
        assertThat(known.told(again, 1).observed().orElseThrow().record())
                .isSameAs(known.observed().orElseThrow().record());
        assertThat(known.told(again, 1).observed().orElseThrow().revision())
                .isSameAs(known.observed().orElseThrow().revision());
    }

    @Test
    void aRecordThatTheWatchTellsAgainIsHeldByTheWatchAlone() {
        ObservedRecord told = observed("n1", false);

        Known known = Known.NOTHING.told(observed("n1", true), 0).watched(told);

        assertThat(known.observed().orElseThrow().record()).isSameAs(told.record());
        assertThat(known.observed().orElseThrow().revision()).isSameAs(told.revision());
        assertThat(known.observed().orElseThrow().leaseAlive()).isTrue();
        assertThat(known.watched().orElseThrow()).isSameAs(told.revision());
    }

    @Test
    void aRecordThatOnlyTheWatchKnowsDoesNotTakeThePlaceOfTheOneThatWasRead() {
        ObservedRecord read = observed("n1", true);

        Known later = Known.NOTHING.told(read, 0).watched(observed("n2", true));
        Known sameRevision = Known.NOTHING
                .told(read, 0)
                .watched(new ObservedRecord(observed("n2", true).record(), read.revision(), true, Optional.empty()));

        assertThat(later.observed()).isEqualTo(Optional.of(read));
        assertThat(later.watched()).isEqualTo(Optional.of(new Revision("n2")));
        assertThat(sameRevision.observed()).isEqualTo(Optional.of(read));
    }

    @Test
    void whoeverKnowsAnotherLeaderAndAwaitsNothingFollowsIt() {
        CandidateId ada = candidate("ada").id();
        CandidateId bob = candidate("bob").id();
        ElectionState told = knowing(Known.NOTHING.told(observed("n1", true), 0), Optional.empty(), Memory.BLANK);
        LeaderRecord record = told.record();
        Attempt claim = new Attempt(Attempt.Kind.CLAIM, new Revision("n0"), record, 0, Step.NEVER);

        assertThat(record.leader().orElseThrow().id()).isEqualTo(bob);
        assertThat(told.follows(ada)).isTrue();
        assertThat(told.follows(bob)).as("it is named itself").isFalse();
        assertThat(ElectionState.START.follows(ada)).as("it knows nothing").isFalse();
        assertThat(knowing(Known.NOTHING.told(observed("n1", false), 0), Optional.empty(), Memory.BLANK)
                        .follows(ada))
                .as("the leader is dead")
                .isFalse();
        assertThat(knowing(told.known(), Optional.of(claim), Memory.BLANK).follows(ada))
                .as("it awaits a swap")
                .isFalse();
        assertThat(knowing(told.known(), Optional.empty(), Memory.BLANK.unsettledOn(Optional.of(new Revision("n0")), 0))
                        .follows(ada))
                .as("a swap may still land")
                .isFalse();
    }

    private static ElectionState knowing(Known known, Optional<Attempt> attempt, Memory memory) {
        return new ElectionState(
                Role.CANDIDATE, Standing.ASIDE, Optional.empty(), known, Optional.empty(), attempt, memory);
    }

    @Test
    void aStateThatContradictsItselfIsRefused() {
        ElectionState leaderOfNothing = new ElectionState(
                Role.LEADER,
                Standing.ASIDE,
                Optional.empty(),
                Known.NOTHING,
                Optional.empty(),
                Optional.empty(),
                Memory.BLANK);

        assertThatThrownBy(() -> new ElectionProtocol(setup).step(leaderOfNothing, new Event.Woken(), NOW))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new Draft(setup, leaderOfNothing, NOW).held())
                .hasMessage("LEADER of billing without a term");
    }

    @Test
    void aRoleIsTakenFromAFewOthersOnly() {
        Draft draft = new Draft(setup, ElectionState.START, NOW);

        assertThatThrownBy(() -> draft.become(Role.LEADER, Set.of(Role.FENCING)))
                .hasMessage("billing can become LEADER from [FENCING], not from OBSERVER");
        draft.become(Role.CANDIDATE, Set.of(Role.OBSERVER));
        assertThat(draft.role).isEqualTo(Role.CANDIDATE);
    }

    /** No object of it is shared with another call's. */
    private static ElectionState led(String lease, long won) {
        return new ElectionState(
                Role.CANDIDATE,
                Standing.ASIDE.campaigning(true).enlistsAt(won),
                Optional.of(new HeldLease(new LeaseId(lease), Duration.ofSeconds(6), won, false)),
                Known.NOTHING.told(observed("n" + won, true), won),
                Optional.empty(),
                Optional.empty(),
                Memory.BLANK.won(won));
    }

    private static ObservedRecord observed(String nonce, boolean alive) {
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(7, candidate("bob"), new LeaseId("Lb"), Duration.ofSeconds(6), Instant.EPOCH)
                .written(nonce);
        return new ObservedRecord(record, new Revision(nonce), alive, Optional.empty());
    }

    private static Candidate candidate(String name) {
        return new Candidate(new CandidateId(name), name, "");
    }
}
