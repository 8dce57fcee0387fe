package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Standing.Listing;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Single steps of the machine from a state that is easily told. */
class MachineStepsTest {
    private static final LeaseId LA = new LeaseId("La");
    private static final LeaseId LB = new LeaseId("Lb");
    private static final SinkId DISK = new SinkId("disk");
    private static final Candidate ADA = candidate("ada");
    private static final Candidate BOB = candidate("bob");
    private static final LeaderRecord BOBS = LeaderRecord.EMPTY
            .claimedBy(4, BOB, LB, Duration.ofSeconds(6), Instant.EPOCH)
            .written("bob:1");

    private ElectionProtocol machine = machine(Map.of());
    private ElectionState state = ElectionState.START;
    private List<Effect> effects = List.of();

    @Test
    void theTransferGraceIsAThirdOfTheLeaseAndAtMostTwoSeconds() {
        assertThat(grace(3)).isEqualTo(Duration.ofSeconds(1));
        assertThat(grace(6)).isEqualTo(Duration.ofSeconds(2));
        assertThat(grace(15)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void whoeverIsMissingFromTheListEnlistsAgainARequestTimeoutLater() {
        standBehindBob();

        step(new Event.CandidatesListed(List.of(enlisted(BOB, LB)), 10), 10);

        assertThat(state.standing().listing()).isEqualTo(Listing.OFF);
        assertThat(step(new Event.Woken(), 509)).isEmpty();
        assertThat(step(new Event.Woken(), 510)).hasAtLeastOneElementOfType(Effect.EnlistCandidate.class);
        step(new Event.CandidatesListed(List.of(), 520), 520);
        assertThat(state.standing().listing()).isEqualTo(Listing.ASKED);
    }

    @Test
    void whoeverIsOnTheListStaysThere() {
        standBehindBob();

        step(new Event.CandidatesListed(List.of(enlisted(BOB, LB), enlisted(ADA, LA)), 10), 10);

        assertThat(state.standing().listing()).isEqualTo(Listing.ON);
    }

    @Test
    void whoeverTellsAPositionStandsSinceItEnlisted() {
        standBehindBob();
        Moment later = new Moment(millis(3_000), Instant.EPOCH.plusSeconds(3));

        List<Effect> told =
                machine.step(state, new Event.PositionReached(7), later).effects();

        assertThat(told).singleElement().isInstanceOfSatisfying(Effect.EnlistCandidate.class, enlist -> {
            assertThat(enlist.candidate().candidate().position()).hasValue(7);
            assertThat(enlist.candidate().since()).isEqualTo(Instant.EPOCH);
        });
    }

    /** A machine's clock may be below zero. */
    @Test
    void whateverTheClockShowsAPositionAndALoadAreToldAtOnceTheFirstTime() {
        long hourBelow = -3_600_000;
        step(new Event.LeaseGranted(LA, Actor.TIMING.lease(), millis(hourBelow)), hourBelow);
        step(new Event.Campaigned(), hourBelow);
        step(new Event.RecordObserved(observed(BOBS, true), millis(hourBelow)), hourBelow);
        step(new Event.CandidateEnlisted(), hourBelow);
        ElectionState stands = state;

        assertThat(step(new Event.PositionReached(7), hourBelow + 1))
                .hasAtLeastOneElementOfType(Effect.EnlistCandidate.class);
        state = stands;
        assertThat(step(new Event.ElectionsLed(3), hourBelow + 1))
                .hasAtLeastOneElementOfType(Effect.EnlistCandidate.class);
    }

    @Test
    void whoeverEnlistsAnewStandsSinceThen() {
        standBehindBob();
        step(new Event.CandidatesListed(List.of(), 10), 10);
        Moment later = new Moment(millis(3_000), Instant.EPOCH.plusSeconds(3));

        List<Effect> again = machine.step(state, new Event.Woken(), later).effects();

        assertThat(again)
                .hasAtLeastOneElementOfType(Effect.EnlistCandidate.class)
                .filteredOn(Effect.EnlistCandidate.class::isInstance)
                .map(effect -> ((Effect.EnlistCandidate) effect).candidate().since())
                .containsExactly(later.wall());
    }

    @Test
    void aRefusalOfAnotherSwapSettlesNothing() {
        claim(ObservedRecord.ABSENT);
        ElectionState before = state;
        Event refusal = new Event.SwapRefused("bob:1", Optional.of(observed(BOBS, true)));

        assertThat(step(refusal, 10)).isEmpty();
        assertThat(state).isEqualTo(before);

        standBehindBob();
        before = state;
        assertThat(step(refusal, 10)).isEmpty();
        assertThat(state).isEqualTo(before);
    }

    @Test
    void aTermIsInJeopardyFromAMissedRenewalToTheNext() {
        lead(ObservedRecord.ABSENT);

        assertThat(step(new Event.RenewalMissed(), 20)).contains(new Effect.Tell(new Notice.Jeopardy(1, true)));
        assertThat(step(new Event.RenewalMissed(), 30)).isEmpty();
        assertThat(step(new Event.LeaseRenewed(LA, millis(40)), 40))
                .contains(new Effect.Tell(new Notice.Jeopardy(1, false)));
        assertThat(step(new Event.LeaseRenewed(LA, millis(50)), 50)).isEmpty();
    }

    @Test
    void aWinnerThatHasNotBegunResigns() {
        machine = machine(Map.of(DISK, "disk"));
        claim(ObservedRecord.ABSENT);
        step(new Event.SwapAccepted("ada:1", new Revision("ada:1")), 10);
        assertThat(state.role()).isEqualTo(Role.FENCING);

        step(new Event.ResignAsked(), 20);

        assertThat(state.role()).isEqualTo(Role.RESIGNING);
    }

    @Test
    void aMarkReadSinceTheTermBeganIsRaisedAgainIfItIsLowerOrGone() {
        for (Optional<Mark> mark : List.of(Optional.<Mark>empty(), Optional.of(mark(4, BOB)))) {
            leadOverTheDisk();

            assertThat(step(new Event.MarkRead(DISK, mark, millis(10)), 20)).contains(new Effect.ReadRecord());
            assertThat(state.role()).isEqualTo(Role.LEADER);
        }
    }

    @Test
    void aMarkReadBeforeTheTermBeganSaysNothing() {
        leadOverTheDisk();

        assertThat(step(new Event.MarkRead(DISK, Optional.empty(), millis(10) - 1), 20))
                .isEmpty();
    }

    @Test
    void theLeadersOwnMarkEndsNothingAndAHigherOneEndsTheTerm() {
        leadOverTheDisk();

        step(new Event.MarkRead(DISK, Optional.of(mark(5, ADA)), millis(10)), 20);
        assertThat(state.role()).isEqualTo(Role.LEADER);
        step(new Event.MarkRead(DISK, Optional.of(mark(6, BOB)), millis(10)), 20);
        assertThat(state.role()).isEqualTo(Role.RESIGNING);
    }

    @Test
    void aRequestToHandOverToTheLeaderItselfIsDeclined() {
        lead(ObservedRecord.ABSENT);
        LeaderRecord asked = state.record()
                .withRequest(Optional.of(new Request.TransferTo("ops", 1, ADA.id())))
                .written("ops:1");
        step(new Event.RecordObserved(observed(asked, true), millis(20)), 20);

        step(new Event.CandidatesListed(List.of(enlisted(ADA, LA)), millis(30)), 30);

        assertThat(effects)
                .contains(new Effect.Tell(
                        new Notice.TransferAborted(1, ADA.id(), "it is not among the live candidates")));
        assertThat(state.role()).isEqualTo(Role.LEADER);
    }

    @Test
    void aPlanToANameOfSeveralIsGivenUpAndOneToAnIdIsNot() {
        Candidate second = new Candidate(new CandidateId("bob"), "cay", "");
        Candidate third = new Candidate(new CandidateId("third"), "cay", "");

        plan("cay", second, third);

        assertThat(effects)
                .contains(new Effect.Tell(
                        new Notice.TransferAborted(1, new CandidateId("cay"), "several candidates are called so")))
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.SwapRecord.class,
                                swap -> assertThat(swap.next().planned()).isEmpty()));
        plan("third", second, third);
        assertThat(effects).hasAtLeastOneElementOfType(Effect.InterruptTask.class);
        assertThat(state.tenure().orElseThrow().handover().successor()).contains(third.id());
    }

    @Test
    void aPlanForTheLastOfAllTimesIsWaitedForALeaseAtATime() {
        state = ElectionState.START;
        lead(ObservedRecord.ABSENT);
        LeaderRecord planned = planned("bob", Instant.MAX);

        step(new Event.RecordObserved(observed(planned, true), millis(20)), 20);

        assertThat(state.role()).isEqualTo(Role.LEADER);
        assertThat(effects).isEmpty();
    }

    /** Ada leads, finds what was planned for the beginning of time, and is told who stands. */
    private void plan(String to, Candidate... stand) {
        state = ElectionState.START;
        lead(ObservedRecord.ABSENT);
        step(new Event.RecordObserved(observed(planned(to, Instant.EPOCH), true), millis(20)), 20);
        assertThat(effects).contains(new Effect.ListCandidates());
        List<Enlisted> line = Arrays.stream(stand).map(one -> enlisted(one, LB)).toList();
        step(new Event.CandidatesListed(line, millis(30)), 30);
    }

    private LeaderRecord planned(String to, Instant then) {
        return state.record()
                .withPlanned(Optional.of(new PlannedTransfer("ops", to, then, Instant.EPOCH)))
                .written("ops:1");
    }

    @Test
    void aNamedSuccessorWhoseLeaseIsNearlyOverDoesNotClaim() {
        LeaderRecord named = BOBS.vacated(4, Instant.EPOCH)
                .withRequest(Optional.of(new Request.TransferTo("ops", 4, ADA.id())))
                .written("bob:2");
        standBehindBob();

        step(new Event.RecordChanged(observed(named, false)), 5_900);

        assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.SwapRecord.class);
        step(new Event.LeaseRenewed(LA, millis(5_900)), 5_901);
        assertThat(effects).hasAtLeastOneElementOfType(Effect.SwapRecord.class);
    }

    private void standBehindBob() {
        stand(observed(BOBS, true));
        step(new Event.CandidateEnlisted(), 0);
        assertThat(state.standing().listing()).isEqualTo(Listing.ON);
    }

    private void stand(ObservedRecord record) {
        state = ElectionState.START;
        step(new Event.LeaseGranted(LA, Actor.TIMING.lease(), 0), 0);
        step(new Event.Campaigned(), 0);
        step(new Event.RecordObserved(record, 0), 0);
    }

    private void claim(ObservedRecord record) {
        stand(record);
        step(new Event.CandidateEnlisted(), 0);
        step(new Event.CandidatesListed(List.of(enlisted(ADA, LA)), 0), 0);
        assertThat(effects).hasAtLeastOneElementOfType(Effect.SwapRecord.class);
    }

    private void lead(ObservedRecord record) {
        claim(record);
        step(new Event.SwapAccepted("ada:1", new Revision("ada:1")), 10);
        assertThat(state.role()).isEqualTo(Role.LEADER);
    }

    /** Term 5, begun at 10 ms. */
    private void leadOverTheDisk() {
        machine = machine(Map.of(DISK, "disk"));
        claim(observed(BOBS.vacated(4, Instant.EPOCH).withSinks(Map.of(DISK, "disk")), false));
        step(new Event.SwapAccepted("ada:1", new Revision("ada:1")), 5);
        step(new Event.MarkRaised(DISK, mark(5, ADA)), 10);
        assertThat(state.role()).isEqualTo(Role.LEADER);
    }

    private List<Effect> step(Event event, long atMillis) {
        Step<ElectionState, Effect> step = machine.step(state, event, new Moment(millis(atMillis), Instant.EPOCH));
        state = step.state();
        effects = step.effects();
        return effects;
    }

    private static ElectionProtocol machine(Map<SinkId, String> sinks) {
        return new ElectionProtocol(Setup.of(new ElectionName("billing"), ADA, Actor.TIMING, sinks));
    }

    private static Duration grace(int leaseSeconds) {
        Timing timing = Timing.ofLease(Duration.ofSeconds(leaseSeconds));
        return Setup.of(new ElectionName("billing"), ADA, timing, Map.of()).transferGrace();
    }

    private static ObservedRecord observed(LeaderRecord record, boolean alive) {
        return new ObservedRecord(record, new Revision(record.nonce()), alive, Optional.empty());
    }

    private static Enlisted enlisted(Candidate candidate, LeaseId lease, SinkId... sinks) {
        return new Enlisted(candidate, lease, Instant.EPOCH, Set.copyOf(Arrays.asList(sinks)), Set.of());
    }

    private static Mark mark(long token, Candidate owner) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(owner.id()));
    }

    private static Candidate candidate(String name) {
        return new Candidate(new CandidateId(name), name, "");
    }

    private static long millis(long count) {
        return count * Actor.MILLI;
    }
}
