package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.memory.MemorySink;
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
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.outcome.Retirement;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Operators over the reference coordinator and the reference sink, in virtual time; the leader is the test itself. */
class ElectionAdminTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Candidate ANN = candidate("ann");
    private static final Candidate BOB = candidate("bob");

    private final VirtualTimeline time = new VirtualTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final Coordinator wired = MemoryCoordinator.connect(store, time, CALL);
    private final dev.incumbent.fence.memory.MemoryStore ledger = sinkStore("S-ledger");
    private final dev.incumbent.fence.memory.MemoryStore audit = sinkStore("S-audit");
    private final CutSink ledgerSink = new CutSink(sink(ledger));
    private final CutSink auditSink = new CutSink(sink(audit));
    private int nonces;

    @Test
    void aFreezeClosesItsSinksAndReturnsOnceTheLeaderHasVacated() {
        LeaseId lease = leads(1, ANN);

        CompletableFuture<Freezing> freeze = freeze(ledgerSink, auditSink);
        time.advance(Duration.ofMillis(10));
        assertThat(freeze).as("ann still leads on record").isNotDone();
        assertThat(markOf(ledger).owner()).isInstanceOf(MarkOwner.OfFreeze.class);
        vacates(lease);

        Freezing.Frozen frozen = (Freezing.Frozen) done(freeze);
        assertThat(frozen.isClosed()).isTrue();
        assertThat(frozen.isQuiet())
                .as("a preempted leader may believe for a lease")
                .isFalse();
        assertThat(frozen.freeze().number()).isEqualTo(2);
    }

    @Test
    void aFreezeReturnsWhenTheLeadersLeaseDies() {
        leads(1, ANN);

        CompletableFuture<Freezing> freeze = freeze(ledgerSink, auditSink);
        time.advance(LEASE.plusMillis(100));

        Freezing.Frozen frozen = (Freezing.Frozen) done(freeze);
        assertThat(frozen.leader()).isEmpty();
        assertThat(frozen.isQuiet()).isTrue();
    }

    @Test
    void quietIsWaitedForWhereItIsAskedFor() {
        vacates(leads(1, ANN));

        CompletableFuture<Freezing> freeze = operator(wired)
                .freeze("test", List.of(ledgerSink, auditSink), ElectionAdmin.Until.QUIET)
                .toCompletableFuture();
        time.advance(LEASE.minusMillis(1));
        assertThat(freeze).isNotDone();
        time.advance(Duration.ofMillis(1));

        assertThat(((Freezing.Frozen) done(freeze)).isQuiet()).isTrue();
    }

    @Test
    void aSinkNotReachedIsNamedOpenAndClosedByTheNextFreeze() {
        vacates(leads(1, ANN));
        auditSink.cut();

        CompletableFuture<Freezing> first = freeze(ledgerSink, auditSink);
        time.advance(ElectionAdmin.RAISE_BOUND.plusSeconds(1));
        auditSink.heal();
        CompletableFuture<Freezing> second = freeze(ledgerSink, auditSink);

        assertThat(((Freezing.Frozen) done(first)).open())
                .extracting(OpenSink::sink)
                .containsExactly(auditSink.label());
        assertThat(((Freezing.Frozen) done(second)).isClosed()).isTrue();
        assertThat(markOf(audit).owner()).isInstanceOf(MarkOwner.OfFreeze.class);
    }

    @Test
    void aSinkThatComesBackWithinTheBoundIsClosed() {
        vacates(leads(1, ANN));
        auditSink.cut();

        CompletableFuture<Freezing> freeze = freeze(ledgerSink, auditSink);
        time.advance(Duration.ofSeconds(5));
        auditSink.heal();
        time.advance(Duration.ofSeconds(2));

        assertThat(((Freezing.Frozen) done(freeze)).isClosed()).isTrue();
    }

    @Test
    void aFreezeAfterTheStoreWasRestoredIsAboveTheMarksThatTheSinksKept() {
        vacates(leads(1, ANN));
        raise(ledger, new Mark(new FencingToken(40), MarkOwner.ofCandidate(BOB.id())));

        Freezing.Frozen frozen = (Freezing.Frozen) done(freeze(ledgerSink, auditSink));

        assertThat(frozen.freeze().number()).isEqualTo(41);
        assertThat(record().freeze().orElseThrow().number()).isEqualTo(41);
        assertThat(markOf(ledger).token().value()).isEqualTo(41);
    }

    @Test
    void aFreezeWhoseAnswerIsLostIsSetOnce() {
        vacates(leads(1, ANN));
        FaultyWire wire = new FaultyWire();
        Coordinator lossy =
                MemoryCoordinator.connect(store, new AfterTheFirst(wire, FaultyWire.Fault.MUTE), time, CALL);

        CompletableFuture<Freezing> freeze = freeze(lossy, ledgerSink, auditSink);
        String set = record().nonce();
        time.advance(Duration.ofSeconds(1));
        wire.heal();
        time.advance(Duration.ofSeconds(5));

        assertThat(((Freezing.Frozen) done(freeze)).isClosed()).isTrue();
        assertThat(record().nonce()).isEqualTo(set);
    }

    @Test
    void aThawLetsTheNextTermBeginAboveEveryMark() {
        vacates(leads(1, ANN));
        done(freeze(ledgerSink, auditSink));

        Thaw thaw = done(thaw(ledgerSink, auditSink));

        assertThat(thaw).isEqualTo(new Thaw.Thawed(3));
        assertThat(record().isFrozen()).isFalse();
        assertThat(raise(ledger, new Mark(new FencingToken(4), MarkOwner.ofCandidate(BOB.id()))))
                .isInstanceOf(Raise.Raised.class);
    }

    @Test
    void aThawLeavesTheFlagWhereASinkIsNotReached() {
        vacates(leads(1, ANN));
        done(freeze(ledgerSink, auditSink));
        auditSink.cut();

        Thaw thaw = done(thaw(ledgerSink, auditSink));

        assertThat(thaw).isInstanceOf(Thaw.NotRead.class);
        assertThat(record().isFrozen()).isTrue();
        assertThat(markOf(ledger).owner()).as("nothing was done").isInstanceOf(MarkOwner.OfFreeze.class);
    }

    @Test
    void aSinkThatIsLostForGoodIsForgottenAndThenTheThawGoesOn() {
        vacates(leads(1, ANN));
        done(freeze(ledgerSink, auditSink));
        auditSink.cut();

        Retirement forgotten = done(operator(wired).retireSink(new SinkId("S-audit")));

        assertThat(forgotten).isEqualTo(new Retirement.Done(true));
        assertThat(done(thaw(ledgerSink))).isInstanceOf(Thaw.Thawed.class);
    }

    @Test
    void aThawThatDiedInTheMiddleIsRunAgain() {
        vacates(leads(1, ANN));
        done(freeze(ledgerSink, auditSink));
        auditSink.keepRaises();
        CompletableFuture<Thaw> died = thaw(ledgerSink, auditSink);
        assertThat(markOf(ledger).owner()).isInstanceOf(MarkOwner.OfThaw.class);
        assertThat(record().isFrozen()).isTrue();

        Thaw again = done(thaw(ledgerSink, new CutSink(sink(audit))));

        assertThat(again).isEqualTo(new Thaw.Thawed(4));
        auditSink.letRaisesGo();
        assertThat(done(died)).as("its late raise names a mark that is gone").isInstanceOf(Thaw.NotRaised.class);
        assertThat(markOf(audit).token().value()).isEqualTo(4);
    }

    @Test
    void aFreezeThatComesBeforeAThawsRaiseEndsThatThaw() {
        vacates(leads(1, ANN));
        done(freeze(ledgerSink, auditSink));
        auditSink.keepRaises();
        CompletableFuture<Thaw> thaw = thaw(ledgerSink, auditSink);

        Freezing second = done(freeze(new CutSink(sink(ledger)), new CutSink(sink(audit))));
        auditSink.letRaisesGo();

        assertThat(((Freezing.Frozen) second).isClosed()).isTrue();
        assertThat(done(thaw)).isInstanceOf(Thaw.NotRaised.class);
        assertThat(record().isFrozen()).isTrue();
        assertThat(markOf(ledger).owner()).isInstanceOf(MarkOwner.OfFreeze.class);
        assertThat(markOf(audit).owner()).isInstanceOf(MarkOwner.OfFreeze.class);
    }

    @Test
    void aFreezeThatComesBeforeAThawsSwapStands() {
        vacates(leads(1, ANN));
        done(freeze(ledgerSink, auditSink));
        FaultyWire wire = new FaultyWire();
        Coordinator slow =
                MemoryCoordinator.connect(store, new AfterTheFirst(wire, FaultyWire.Fault.DELAYED), time, CALL);
        CompletableFuture<Thaw> thaw =
                operator(slow).thaw(List.of(ledgerSink, auditSink)).toCompletableFuture();

        done(freeze(ledgerSink, auditSink));
        wire.heal();
        time.advance(Duration.ofSeconds(5));

        assertThat(done(thaw)).isInstanceOf(Thaw.Refused.class);
        assertThat(record().isFrozen()).isTrue();
        assertThat(markOf(ledger).owner()).isInstanceOf(MarkOwner.OfFreeze.class);
    }

    @Test
    void aRaiseOfAFreezeThatLandsAfterAThawIsRefused() {
        vacates(leads(1, ANN));
        auditSink.keepRaises();
        CompletableFuture<Freezing> freeze = freeze(ledgerSink, auditSink);

        Thaw thaw = done(thaw(new CutSink(sink(ledger)), new CutSink(sink(audit))));
        auditSink.letRaisesGo();
        time.advance(Duration.ofSeconds(2));

        assertThat(thaw).isInstanceOf(Thaw.Thawed.class);
        assertThat(done(freeze)).isInstanceOf(Freezing.Undone.class);
        assertThat(markOf(audit).owner()).isInstanceOf(MarkOwner.OfThaw.class);
    }

    @Test
    void aThawWaitsForNobodyWhoStillLeads() {
        leads(1, ANN);
        CompletableFuture<Freezing> freeze = freeze(ledgerSink, auditSink);

        Thaw thaw = done(thaw(ledgerSink, auditSink));

        assertThat(thaw).isInstanceOf(Thaw.Refused.class);
        assertThat(freeze).isNotDone();
    }

    @Test
    void aTransferTellsTheNewTermAndTheGapItSaw() {
        LeaseId lease = leads(1, ANN);
        enlist(BOB);

        CompletableFuture<RequestedTransfer> transfer =
                operator(wired).transferTo("bob", Duration.ofSeconds(30)).toCompletableFuture();
        assertThat(record().request()).containsInstanceOf(Request.TransferTo.class);
        vacates(lease);
        time.advance(Duration.ofMillis(40));
        leads(2, BOB);

        assertThat(done(transfer))
                .isEqualTo(new RequestedTransfer.Transferred(2, BOB, Optional.of(Duration.ofMillis(40))));
    }

    @Test
    void aTransferNotHeededIsTakenBackAndTheSameTermGoesOn() {
        LeaseId lease = leads(1, ANN);
        enlist(BOB);

        CompletableFuture<RequestedTransfer> transfer =
                operator(wired).transferTo("bob", Duration.ofSeconds(9)).toCompletableFuture();
        time.advance(Duration.ofSeconds(5));
        done(wired.keepAlive(lease));
        time.advance(Duration.ofSeconds(4));

        assertThat(done(transfer)).isInstanceOf(RequestedTransfer.TakenBack.class);
        assertThat(record().request()).isEmpty();
        assertThat(record().names(ANN.id(), 1)).isTrue();
    }

    @Test
    void aResignationIsDoneOnceAnotherLeads() {
        LeaseId lease = leads(1, ANN);

        CompletableFuture<Resignation> resign =
                operator(wired).resign(Duration.ofSeconds(30)).toCompletableFuture();
        vacates(lease);
        leads(2, BOB);

        assertThat(done(resign))
                .isEqualTo(new Resignation.Resigned(
                        1, ANN, Optional.of(new Resignation.Next(2, BOB, Optional.of(Duration.ZERO)))));
    }

    @Test
    void aCoordinatorNotReachedIsAnExceptionThatSaysNothingApplied() {
        FaultyWire wire = new FaultyWire();
        wire.suffer(FaultyWire.Fault.REFUSED);
        Coordinator cut = MemoryCoordinator.connect(store, wire, time, CALL);

        CompletableFuture<Freezing> freeze = freeze(cut);

        assertThatThrownBy(() -> done(freeze))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        failure -> assertThat(failure.mayHaveApplied()).isFalse());
    }

    @Test
    void aSwapNeverSettledIsAnExceptionThatSaysItMayHaveApplied() {
        vacates(leads(1, ANN));
        FaultyWire wire = new FaultyWire();
        Coordinator lossy =
                MemoryCoordinator.connect(store, new AfterTheFirst(wire, FaultyWire.Fault.SILENT), time, CALL);

        CompletableFuture<Freezing> freeze = freeze(lossy);
        time.advance(Duration.ofSeconds(60));

        assertThatThrownBy(() -> done(freeze))
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        failure -> assertThat(failure.mayHaveApplied()).isTrue());
    }

    @Test
    void statusTellsTheRecordAndWhoStands() {
        leads(1, ANN);
        enlist(BOB);

        ElectionStatus status = done(operator(wired).status());

        assertThat(status.observed().record().leader()).contains(ANN);
        assertThat(status.candidates()).extracting(Enlisted::candidate).containsExactly(BOB);
        assertThat(done(operator(wired).history())).isEmpty();
    }

    private ElectionAdmin operator(Coordinator over) {
        return ElectionAdmin.over(over, time, JOB, "op@host");
    }

    private CompletableFuture<Freezing> freeze(CutSink... sinks) {
        return freeze(wired, sinks);
    }

    private CompletableFuture<Freezing> freeze(Coordinator over, CutSink... sinks) {
        return operator(over)
                .freeze("test", List.of(sinks), ElectionAdmin.Until.VACANT)
                .toCompletableFuture();
    }

    private CompletableFuture<Thaw> thaw(CutSink... sinks) {
        return operator(wired).thaw(List.of(sinks)).toCompletableFuture();
    }

    /** A leader claims, raises both sinks, and enters them in the record. */
    private LeaseId leads(long term, Candidate leader) {
        LeaseId lease = done(wired.grant(leader.id(), LEASE)).id();
        ObservedRecord before = observed();
        Map<SinkId, String> sinks = Map.of(ledger.id(), ledgerSink.label(), audit.id(), auditSink.label());
        swap(
                before,
                before.record()
                        .claimedBy(term, leader, lease, LEASE, Instant.EPOCH)
                        .withSinks(sinks));
        Mark mark = new Mark(new FencingToken(term), MarkOwner.ofCandidate(leader.id()));
        raise(ledger, mark);
        raise(audit, mark);
        return lease;
    }

    private void vacates(LeaseId lease) {
        ObservedRecord before = observed();
        assertThat(before.record().lease()).contains(lease);
        swap(before, before.record().vacated(0, Instant.EPOCH));
    }

    private void enlist(Candidate candidate) {
        LeaseId lease = done(wired.grant(candidate.id(), LEASE)).id();
        done(wired.enlist(JOB, new Enlisted(candidate, lease, Instant.EPOCH, Set.of(ledger.id(), audit.id()))));
    }

    private void swap(ObservedRecord before, LeaderRecord next) {
        nonces++;
        Swap swap = done(wired.swap(JOB, before.revision(), next.written("test-" + nonces)));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
    }

    private ObservedRecord observed() {
        Reading reading = done(wired.read(Set.of(JOB))).get(JOB);
        return reading instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    private LeaderRecord record() {
        return observed().record();
    }

    private Raise raise(dev.incumbent.fence.memory.MemoryStore at, Mark mark) {
        return done(sink(at).raise(JOB, mark));
    }

    private Mark markOf(dev.incumbent.fence.memory.MemoryStore at) {
        return at.marks().getOrDefault(JOB, new Mark(new FencingToken(1), MarkOwner.ofOperator("nobody")));
    }

    private MemorySink sink(dev.incumbent.fence.memory.MemoryStore at) {
        return new MemorySink(at, time, Duration.ofSeconds(5));
    }

    private static dev.incumbent.fence.memory.MemoryStore sinkStore(String id) {
        return new dev.incumbent.fence.memory.MemoryStore(new SinkId(id));
    }

    private static Candidate candidate(String name) {
        return new Candidate(CandidateId.of(name, "host", 1, "aa"), name, "");
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** A wire that carries one request in order, and suffers the fault from the second on, until it is healed. */
    private static final class AfterTheFirst implements Wire {
        private final FaultyWire wire;
        private final FaultyWire.Fault fault;
        private int requests;

        AfterTheFirst(FaultyWire wire, FaultyWire.Fault fault) {
            this.wire = wire;
            this.fault = fault;
        }

        @Override
        public void toStore(Runnable arrival) {
            requests++;
            if (requests == 2) {
                wire.suffer(fault);
            }
            wire.toStore(arrival);
        }

        @Override
        public void toClient(Runnable arrival) {
            wire.toClient(arrival);
        }
    }
}
