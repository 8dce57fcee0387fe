package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.Trace;
import dev.incumbent.Transfer;
import dev.incumbent.Validity;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Role;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The driver as its user sees it, step by step in virtual time. */
class ElectionRuntimeTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration LEASE = OneProcess.TIMING.lease();

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<String> failures = new ArrayList<>();
    private final Trace trace = new Trace() {
        @Override
        public void failed(String what, Throwable failure) {
            failures.add(what + ": " + Calls.why(failure));
        }
    };
    private final OneProcess a = new OneProcess(platform, store, "a", trace);

    @Test
    void whoIsAloneLeadsAtOnceAndForAsLongAsItsLeaseIsRenewed() throws Exception {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();

        platform.pass(LEASE.multipliedBy(3));

        led.check();
        assertThat(led.holds()).isTrue();
        assertThat(candidacy.leadership()).contains(led);
        assertThat(candidacy.health().role()).isEqualTo(Role.LEADER);
        assertThat(candidacy.health().leaseHeld()).isTrue();
        assertThat(candidacy.health().trouble()).isEmpty();
        assertThat(platform.tasks).hasSize(1);
        assertThat(a.callsOf("keepAlive")).isBetween(8L, 10L);
    }

    @Test
    void whatRemainsIsTheLeaseFromTheLastRequestThatWasAnswered() throws Exception {
        a.election("job").campaign(TASK);
        Leadership led = a.led();
        List<Validity> heard = new ArrayList<>();
        led.onRenewed(heard::add);
        platform.run();
        long until = heard.get(0).untilNanos();
        long sentAt = heard.get(0).sentAtNanos();

        assertThat(heard).hasSize(1);
        assertThat(led.remaining().toNanos()).isEqualTo(until - platform.time.nanos());
        assertThat(until - sentAt).isEqualTo(OneProcess.TIMING.validFor().toNanos());
        assertThat(until - heard.get(0).stopAtNanos())
                .isEqualTo(OneProcess.TIMING.stopLead().toNanos());

        platform.pass(OneProcess.TIMING.renewEvery().plusMillis(5));
        Validity newest = heard.get(heard.size() - 1);
        assertThat(newest.sentAtNanos() - sentAt)
                .isBetween(
                        OneProcess.TIMING.renewEvery().toNanos(),
                        OneProcess.TIMING.renewEvery().plusMillis(1).toNanos());
    }

    @Test
    void aTaskIsToldToStopAndTheGuardRefusesWhereTheLeaseIsNotRenewed() {
        a.election("job").campaign(TASK);
        Leadership led = a.led();
        List<Validity> heard = new ArrayList<>();
        led.onRenewed(heard::add);
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));
        platform.pass(OneProcess.TIMING.renewEvery());
        Validity last = heard.get(heard.size() - 1);

        passTo(last.stopAtNanos() - 1_000_000);
        assertThat(platform.task().interrupts).isZero();
        assertThat(led.inJeopardy()).isTrue();
        platform.time.advance(Duration.ofMillis(1));
        assertThat(platform.task().interrupts)
                .as("whatever the driver's strand does")
                .isPositive();
        platform.time.advance(Duration.ofNanos(last.untilNanos() - platform.time.nanos() - 1));
        assertThat(led.holds()).isTrue();
        assertThat(led.remaining()).isEqualTo(Duration.ofNanos(1));
        platform.time.advance(Duration.ofNanos(1));

        assertThat(led.holds()).isFalse();
        assertThat(led.remaining()).isZero();
        Assertions.assertThatThrownBy(led::check)
                .isInstanceOf(LeadershipLostException.class)
                .hasMessageContaining("it was valid until 0 ms ago");
        platform.time.advance(Duration.ofMillis(30));
        Assertions.assertThatThrownBy(led::check).hasMessageContaining("it was valid until 30 ms ago");
        assertThat(led.remaining()).isZero();
    }

    @Test
    void theGuardTellsWhyItRefuses() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        platform.time.pause(LEASE.multipliedBy(2));

        assertThat(candidacy.leadership()).isEmpty();
        Assertions.assertThatThrownBy(led::check)
                .hasMessageMatching(".* is over: it was valid until 8\\d\\d\\d ms ago");
        platform.run();
        platform.task().returns();
        platform.pass(Duration.ofMillis(50));
        Assertions.assertThatThrownBy(led::check).hasMessageEndingWith("is over: LEASE_LOST");
    }

    @Test
    void whoResignsHearsItOnceTheTaskHasReturned() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        OneThread.Started task = platform.task();

        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        CompletableFuture<EndReason> ended = led.ended().toCompletableFuture();
        platform.pass(Duration.ofMillis(10));
        assertThat(task.interrupts).isPositive();
        assertThat(resigned).isNotDone();
        assertThat(ended).isCompletedWithValue(EndReason.RESIGNED);
        task.returns();
        platform.pass(Duration.ofMillis(10));

        assertThat(resigned).isCompleted();
        assertThat(led.holds()).isFalse();
        Assertions.assertThatThrownBy(led::check).hasMessageEndingWith("is over: RESIGNED");
    }

    @Test
    void whoLeadsNothingHasResignedAtOnceAndTransfersNothing() {
        a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
        Candidacy second = b.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        CompletableFuture<Void> resigned = second.resign().toCompletableFuture();
        CompletableFuture<Transfer> transferred =
                second.transferTo(new CandidateId("a")).toCompletableFuture();
        platform.run();

        assertThat(resigned).isCompleted();
        assertThat(transferred).isCompletedWithValue(new Transfer.Aborted("this process does not lead"));
        assertThat(second.health().role()).isEqualTo(Role.CANDIDATE);
        assertThat(second.health().enlisted()).isTrue();
    }

    @Test
    void aTransferIsDoneOnceTheRecordIsVacatedForItsSuccessor() {
        Candidacy first = a.election("job").campaign(TASK);
        a.led();
        OneThread.Started task = platform.task();
        OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
        b.election("job").campaign(TASK);
        platform.pass(Duration.ofSeconds(1));

        CompletableFuture<Transfer> transferred =
                first.transferTo(new CandidateId("b")).toCompletableFuture();
        platform.pass(Duration.ofMillis(50));
        assertThat(transferred).isNotDone();
        task.returns();
        platform.pass(Duration.ofMillis(50));

        assertThat(transferred).isCompletedWithValue(new Transfer.HandedOver(new CandidateId("b")));
        assertThat(platform.task().leadership.term().leader().name()).isEqualTo("b");
        assertThat(platform.task().leadership.previousTerm()).isPresent();
    }

    @Test
    void aTermThatIsLostMeanwhileIsNotHandedOver() {
        Candidacy first = a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
        b.election("job").campaign(TASK);
        platform.pass(Duration.ofSeconds(1));
        a.answers.put("swap", OneProcess.UNANSWERED);
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));

        CompletableFuture<Transfer> transferred =
                first.transferTo(new CandidateId("b")).toCompletableFuture();
        platform.pass(LEASE);
        platform.tasks.get(0).returns();
        platform.pass(LEASE);

        assertThat(transferred).isCompleted();
        assertThat(transferred.getNow(null)).isEqualTo(new Transfer.Aborted("the task did not stop in time"));
    }

    @Test
    void whoFailsToGetALeaseSaysSoUntilItHasOne() {
        a.answers.put("grant", OneProcess.failing("the store is full", false));
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(candidacy.health().trouble()).contains("no lease: the store is full");
        assertThat(candidacy.health().leaseHeld()).isFalse();
        Candidacy other = a.election("other").campaign(TASK);
        platform.run();
        assertThat(other.health().trouble()).as("told to who comes later").contains("no lease: the store is full");
        a.answers.clear();
        platform.pass(LEASE);

        assertThat(candidacy.health().trouble()).isEmpty();
        assertThat(other.health().trouble()).isEmpty();
        assertThat(candidacy.leadership()).isPresent();
    }

    @Test
    void aStepThatThrowsIsToldAndTriedAgainAndMendedByTheNextTerm() {
        AtomicBoolean broken = new AtomicBoolean(true);
        platform.machines = new Machines() {
            @Override
            public OfElection election(Setup setup) {
                OfElection whole = Machines.SHIPPED.election(setup);
                return (state, event, now) -> {
                    if (event instanceof Event.LeaseGranted && broken.get()) {
                        throw new ArithmeticException("overflow");
                    }
                    return whole.step(state, event, now);
                };
            }
        };
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(candidacy.health().trouble()).contains("a step failed and is tried again: overflow");
        assertThat(failures)
                .singleElement()
                .satisfies(f ->
                        assertThat(f).startsWith("stepping job by LeaseGranted").endsWith("overflow"));
        broken.set(false);
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));
        platform.pass(LEASE);
        a.answers.clear();
        platform.pass(LEASE);

        assertThat(candidacy.leadership()).isPresent();
        assertThat(candidacy.health().trouble()).isEmpty();
    }

    @Test
    void aTaskThatCannotBeStartedHasReturnedAndItsTermEnds() {
        platform.noThreadIsLeft = true;
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(t -> assertThat(t).contains("starting the task of term 1", "unable to create"));
        assertThat(candidacy.leadership()).isEmpty();
        assertThat(failures).anySatisfy(f -> assertThat(f).contains("starting the task of term 1", "unable to create"));
        platform.noThreadIsLeft = false;
        platform.pass(LEASE);

        assertThat(candidacy.leadership()).isPresent();
    }

    @Test
    void aTaskThatFailsOfItselfIsTroubleUntilOneReturnsBecauseItWasToldTo() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        platform.task().fails(new IllegalStateException("broken"));
        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(t ->
                        assertThat(t).startsWith("the task of term 1 of job").endsWith("broken"));
        assertThat(failures)
                .anySatisfy(f -> assertThat(f).startsWith("the task of term 1").endsWith("broken"));
        platform.pass(LEASE);

        candidacy.resign();
        platform.run();
        platform.task().fails(new InterruptedException());

        assertThat(candidacy.health().trouble()).isEmpty();
    }

    @Test
    void closingAllNamesTheTasksThatStillRunOnceTheTimeIsUp() {
        a.election("job").campaign(TASK);
        a.led();
        OneThread.Started task = platform.task();
        CompletableFuture<Set<Term>> closed = a.runtime.closeAsync().toCompletableFuture();
        Duration leaving = OneProcess.TIMING.stopLead().plus(OneProcess.CALL.multipliedBy(4));

        platform.pass(leaving.minusMillis(1));
        assertThat(closed).isNotDone();
        assertThat(a.callsOf("revoke")).isZero();
        platform.pass(Duration.ofMillis(2));
        assertThat(closed.getNow(Set.of())).containsExactly(task.leadership.term());
        assertThat(a.callsOf("revoke")).as("an unfenced task runs").isZero();
        assertThat(platform.closed).isZero();
        task.returns();
        platform.pass(OneProcess.CALL.multipliedBy(4));

        assertThat(a.runtime.closeAsync().toCompletableFuture().getNow(Set.of()))
                .containsExactly(task.leadership.term());
        assertThat(platform.closed).isEqualTo(1);
    }

    @Test
    void closingAllEndsTheSessionAsSoonAsAllHaveLeft() {
        a.election("job").campaign(TASK);
        a.led();
        CompletableFuture<Set<Term>> closed = a.runtime.closeAsync().toCompletableFuture();
        platform.run();
        assertThat(closed).isNotDone();

        platform.task().returns();
        platform.pass(Duration.ofMillis(10));

        assertThat(closed).isCompletedWithValue(Set.of());
        assertThat(a.callsOf("revoke")).isEqualTo(1);
        assertThat(platform.closed).isEqualTo(1);
        int calls = a.calls.size();
        platform.pass(LEASE);
        assertThat(a.calls).as("nothing is asked any more").hasSize(calls);
        assertThat(platform.closed).isEqualTo(1);
    }

    @Test
    void closingAllDoesNotWaitForARevokeThatIsNotAnswered() {
        a.election("job").campaign(TASK);
        a.led();
        a.answers.put("revoke", OneProcess.UNANSWERED);
        CompletableFuture<Set<Term>> closed = a.runtime.closeAsync().toCompletableFuture();
        platform.run();
        platform.task().returns();

        platform.pass(OneProcess.CALL.multipliedBy(2).minusMillis(5));
        assertThat(closed).isNotDone();
        platform.pass(Duration.ofMillis(20));

        assertThat(closed).isCompletedWithValue(Set.of());
    }

    @Test
    void whoeverWaitsForTheEndWaitsForThatLongAtTheMost() {
        Candidacy candidacy = a.election("job").campaign();
        platform.pass(Duration.ofMillis(10));
        Duration leaving = OneProcess.TIMING.stopLead().plus(OneProcess.CALL.multipliedBy(4));

        candidacy.close();
        assertThat(platform.waits).containsExactly(leaving);
        assertThat(candidacy.leadership()).isEmpty();

        a.runtime.await(a.runtime.closeAsync());
        assertThat(platform.waits).containsExactly(leaving, leaving.plus(OneProcess.CALL.multipliedBy(3)));
    }

    @Test
    void aCandidacyThatIsClosedLeavesTheElectionToOthers() {
        Candidacy first = a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
        b.election("job").campaign(TASK);
        platform.pass(Duration.ofSeconds(1));

        CompletionStage<Void> closed = first.closeAsync();
        platform.run();
        assertThat(closed.toCompletableFuture()).isNotDone();
        platform.tasks.get(0).returns();
        platform.pass(Duration.ofMillis(50));

        assertThat(closed.toCompletableFuture()).isCompleted();
        assertThat(platform.task().leadership.term().leader().name()).isEqualTo("b");
        platform.pass(LEASE.multipliedBy(2));
        assertThat(platform.tasks).hasSize(2);
    }

    @Test
    void whoStandsAgainWhileItsFormerTaskRunsSaysSoAndStandsOnceItHasReturned() {
        Candidacy first = a.election("job").campaign(TASK);
        a.led();
        first.closeAsync();
        Candidacy second = a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(second.health().trouble())
                .hasValueSatisfying(t -> assertThat(t).contains("it stands once its former candidacy in job"));
        assertThat(platform.tasks).hasSize(1);
        platform.task().returns();
        platform.pass(Duration.ofMillis(50));

        assertThat(platform.tasks).hasSize(2);
        assertThat(second.leadership()).isPresent();
        assertThat(second.health().trouble()).isEmpty();
    }

    @Test
    void whoClosesBeforeItStoodNeverStands() {
        Candidacy first = a.election("job").campaign(TASK);
        a.led();
        first.closeAsync();
        Candidacy second = a.election("job").campaign(TASK);
        platform.run();
        CompletionStage<Void> closed = second.closeAsync();
        platform.run();
        assertThat(closed.toCompletableFuture()).isCompleted();

        platform.task().returns();
        platform.pass(LEASE);

        assertThat(platform.tasks).hasSize(1);
    }

    @Test
    void whoIsUnwellGivesUpItsTermAndStandsAgainOnceItIsWell() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        candidacy.setHealthy(false);
        platform.run();
        assertThat(platform.task().interrupts).isPositive();
        platform.task().returns();
        platform.pass(LEASE);
        assertThat(platform.tasks).hasSize(1);
        candidacy.setHealthy(true);
        platform.pass(LEASE);

        assertThat(platform.tasks).hasSize(2);
    }

    @Test
    void aSuspendEndsALeaseAlthoughTheAlarmsSleptToo() {
        a.election("job").campaign(TASK);
        Leadership led = a.led();

        platform.time.suspend(LEASE.multipliedBy(2));

        assertThat(led.holds()).isFalse();
        platform.pass(OneProcess.CALL.plusMillis(2));
        assertThat(platform.task().interrupts).isPositive();
    }

    private void passTo(long nanos) {
        long left = nanos - platform.time.nanos();
        platform.pass(Duration.ofNanos(left / 1_000_000 * 1_000_000));
        platform.time.advance(Duration.ofNanos(nanos - platform.time.nanos()));
        platform.run();
    }
}
