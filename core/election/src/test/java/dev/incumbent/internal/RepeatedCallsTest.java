package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.Transfer;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each call of a candidacy made twice, while the first is under way and after it has ended; in virtual time. */
class RepeatedCallsTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration A_MOMENT = Duration.ofMillis(10);

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<Event> events = new ArrayList<>();
    private final OneProcess a = new OneProcess(platform, store, "a", new Trace() {
        @Override
        public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
            events.add(event);
        }
    });

    @Test
    void aSecondResignationEndsWithTheFirstAndNotBeforeTheTaskHasReturned() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        CompletableFuture<Void> first = candidacy.resign().toCompletableFuture();
        CompletableFuture<Void> atOnce = candidacy.resign().toCompletableFuture();
        platform.pass(A_MOMENT);
        CompletableFuture<Void> later = candidacy.resign().toCompletableFuture();
        platform.pass(A_MOMENT);
        assertThat(platform.task().interrupts).isEqualTo(1);
        assertThat(List.of(first, atOnce, later)).noneMatch(CompletableFuture::isDone);
        long returned = platform.time.nanos();
        platform.task().returns();

        assertThat(List.of(first, atOnce, later)).allMatch(CompletableFuture::isDone);
        assertThat(platform.time.nanos() - returned).as("at once").isZero();
    }

    @Test
    void aSecondResignationWaitsForTheRecordToo() {
        Candidacy candidacy = a.election("job").campaign();
        platform.pass(A_MOMENT);
        a.answers.put("swap", OneProcess.UNANSWERED);

        CompletableFuture<Void> first = candidacy.resign().toCompletableFuture();
        platform.run();
        CompletableFuture<Void> second = candidacy.resign().toCompletableFuture();
        platform.run();

        assertThat(first).isNotDone();
        assertThat(second).as("the record names this process yet").isNotDone();
    }

    @Test
    void aResignationWhileTheTermEndsOtherwiseWaitsForTheTask() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.setHealthy(false);
        platform.run();

        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        platform.pass(A_MOMENT);
        assertThat(resigned).isNotDone();
        platform.task().returns();

        assertThat(resigned).isCompletedWithValue(null);
    }

    @Test
    void aResignationThatIsTakenLateEndsNoLaterTerm() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        CompletableFuture<Void> first = candidacy.resign().toCompletableFuture();
        CompletableFuture<Void> second = resignedOnceTheNextTermHasBegun(candidacy);

        assertThat(first).isCompletedWithValue(null);
        assertThat(second).isCompletedWithValue(null);
        assertThat(platform.tasks).hasSize(2);
        assertThat(platform.task().interrupts).isZero();
        assertThat(candidacy.health().role()).isEqualTo(Role.LEADER);
    }

    /** The call comes while the first term ends; the loop's thread takes it when the second has begun. */
    private CompletableFuture<Void> resignedOnceTheNextTermHasBegun(Candidacy candidacy) {
        platform.run();
        platform.holdsBack = true;
        CompletableFuture<Void> second = candidacy.resign().toCompletableFuture();
        platform.holdsBack = false;
        platform.task().returns();
        platform.pass(OneProcess.TIMING.lease());
        platform.letGo();
        platform.pass(A_MOMENT);
        return second;
    }

    @Test
    void whoResignsWhileItsSinksAreRaisedDoesNotLead() {
        Unraised ledger = new Unraised();
        Candidacy candidacy = a.election("job").guarding(ledger).campaign(TASK);
        platform.pass(A_MOMENT);
        assertThat(candidacy.health().role()).isEqualTo(Role.FENCING);

        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        platform.pass(A_MOMENT);
        ledger.raised.complete(
                new Raise.Raised(new Mark(new FencingToken(1), MarkOwner.ofCandidate(new CandidateId("a")))));
        platform.pass(A_MOMENT);

        assertThat(resigned).isCompletedWithValue(null);
        assertThat(platform.tasks)
                .as("it stands again, and leads term 2")
                .extracting(task -> task.leadership.term().number())
                .containsExactly(2L);
    }

    @Test
    void aTransferThatIsAskedForTwiceIsDoneOnceAndToldTwice() {
        Candidacy candidacy = leadingBesideB();

        CompletableFuture<Transfer> first = transferred(candidacy, "b");
        platform.pass(A_MOMENT);
        CompletableFuture<Transfer> second = transferred(candidacy, "b");
        platform.pass(A_MOMENT);
        assertThat(platform.task().interrupts).isEqualTo(1);
        platform.task().returns();
        platform.pass(A_MOMENT);

        Transfer done = new Transfer.HandedOver(new CandidateId("b"));
        assertThat(first).isCompletedWithValue(done);
        assertThat(second).isCompletedWithValue(done);
    }

    @Test
    void aSecondTransferThatIsAbortedTellsTheFirstNothing() {
        Candidacy candidacy = leadingBesideB();

        CompletableFuture<Transfer> toB = transferred(candidacy, "b");
        platform.pass(A_MOMENT);
        CompletableFuture<Transfer> toMyself = transferred(candidacy, "a");
        platform.pass(A_MOMENT);
        assertThat(toMyself).isCompletedWithValue(new Transfer.Aborted("it leads already: a transfer goes to another"));
        assertThat(toB).isNotDone();
        platform.task().returns();
        platform.pass(A_MOMENT);

        assertThat(toB).isCompletedWithValue(new Transfer.HandedOver(new CandidateId("b")));
    }

    @Test
    void aTransferThatAnotherReplacesIsToldSo() {
        Candidacy candidacy = leadingBesideB();
        a.answers.put("candidates", OneProcess.UNANSWERED);

        CompletableFuture<Transfer> toB = transferred(candidacy, "b");
        CompletableFuture<Transfer> toNobody = transferred(candidacy, "nobody");
        platform.pass(A_MOMENT);

        assertThat(toB).isCompletedWithValue(new Transfer.Aborted("a transfer to nobody replaced it"));
        assertThat(toNobody).isNotDone();
    }

    @Test
    void aSecondCloseEndsOnceTheListenersHaveHeardAll() {
        Candidacy candidacy = a.election("job").campaign();
        platform.pass(A_MOMENT);
        platform.userCodeIsBlocked = true;

        candidacy.closeAsync();
        platform.pass(A_MOMENT);
        candidacy.closeAsync();
        platform.pass(A_MOMENT);

        assertThat(a.runtime.state(new ElectionName("job"))).as("it has left").isEmpty();
        assertThat(((CurrentCandidacy) candidacy).left()).isNotDone();
    }

    @Test
    void aCandidacyThatWasClosedBeforeItStoodIsInNoTroubleAnyMore() {
        Candidacy leaving = a.election("job").campaign(TASK);
        a.led();
        leaving.closeAsync();
        platform.run();
        Candidacy waiting = a.election("job").campaign(TASK);
        platform.run();
        waiting.closeAsync();
        platform.run();

        waiting.setUnhealthy("no disk");
        platform.run();

        assertThat(waiting.health().trouble().filter(why -> why.contains("no disk")))
                .isEmpty();
    }

    @Test
    void aSecondCloseWaitsForTheTaskAsTheFirstDoes() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        CompletableFuture<Void> first = candidacy.closeAsync().toCompletableFuture();
        platform.pass(A_MOMENT);
        CompletableFuture<Void> second = candidacy.closeAsync().toCompletableFuture();
        platform.pass(A_MOMENT);
        assertThat(platform.task().interrupts).isEqualTo(1);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        platform.task().returns();

        assertThat(first).isCompletedWithValue(null);
        assertThat(second).isCompletedWithValue(null);
        assertThat(candidacy.closeAsync()).as("asked after the end").isCompletedWithValue(null);
    }

    @Test
    void whoCampaignsAgainBeforeItIsClosedIsRefusedAndDisturbsNothing() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        assertThatThrownBy(() -> a.election("job").campaign(TASK))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this process stands in job already");
        platform.pass(OneProcess.TIMING.lease());

        assertThat(candidacy.health().role()).isEqualTo(Role.LEADER);
        assertThat(platform.tasks).hasSize(1);
    }

    /** What may be called of a candidacy. */
    enum Called {
        RESIGN(Candidacy::resign),
        TRANSFER(candidacy -> candidacy.transferTo(new CandidateId("b"))),
        UNHEALTHY(candidacy -> candidacy.setHealthy(false)),
        UNHEALTHY_BECAUSE(candidacy -> candidacy.setUnhealthy("no disk")),
        HEALTHY(candidacy -> candidacy.setHealthy(true)),
        POSITION(candidacy -> candidacy.reportPosition(7)),
        CLOSE_ASYNC(Candidacy::closeAsync),
        CLOSE(Candidacy::close);

        @SuppressWarnings("ImmutableEnumChecker")
        private final Consumer<Candidacy> call;

        Called(Consumer<Candidacy> call) {
            this.call = call;
        }
    }

    @ParameterizedTest
    @EnumSource(Called.class)
    void aClosedCandidacyTakesNoStepWhateverIsCalled(Called called) {
        Candidacy closed = closedAfterATerm();
        events.clear();

        called.call.accept(closed);
        platform.run();

        assertThat(events).isEmpty();
        assertThat(closed.health().role()).isEqualTo(Role.OBSERVER);
        assertThat(closed.health().trouble()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Called.class)
    void aCallOfAClosedCandidacyDoesNothingToTheOneThatStandsSince(Called called) {
        Candidacy closed = closedAfterATerm();
        Candidacy next = a.election("job").campaign(TASK);
        platform.pass(OneProcess.TIMING.lease());
        assertThat(next.health().role()).isEqualTo(Role.LEADER);
        events.clear();

        called.call.accept(closed);
        platform.run();

        assertThat(events).isEmpty();
        assertThat(next.health().role()).isEqualTo(Role.LEADER);
        assertThat(platform.task().interrupts).isZero();
    }

    @Test
    void anAnswerThatComesAfterTheCloseIsNoStepOfWhatIsClosed() {
        CompletableFuture<Void> late = new CompletableFuture<>();
        a.answers.put("enlist", () -> late);
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        CompletableFuture<Void> closed = candidacy.closeAsync().toCompletableFuture();
        platform.pass(A_MOMENT);
        assertThat(closed).isCompletedWithValue(null);
        events.clear();

        late.complete(null);
        platform.pass(A_MOMENT);

        assertThat(events).isEmpty();
    }

    private Candidacy closedAfterATerm() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.closeAsync();
        platform.run();
        platform.task().returns();
        platform.pass(A_MOMENT);
        assertThat(a.runtime.state(new ElectionName("job"))).isEmpty();
        return candidacy;
    }

    private Candidacy leadingBesideB() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        new OneProcess(platform, store, "b", Trace.NONE).election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        return candidacy;
    }

    private static CompletableFuture<Transfer> transferred(Candidacy candidacy, String successor) {
        return candidacy.transferTo(new CandidateId(successor)).toCompletableFuture();
    }

    /** A sink whose raise is answered when the test says so. */
    private static final class Unraised implements Sink {
        final CompletableFuture<Raise> raised = new CompletableFuture<>();

        @Override
        public CompletionStage<SinkId> id() {
            return CompletableFuture.completedFuture(new SinkId("ledger"));
        }

        @Override
        public String label() {
            return "ledger";
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            return raised;
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            return marks();
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            return CompletableFuture.completedFuture(MarksRead.of(Map.of()));
        }

        @Override
        public void close() {}
    }
}
