package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.Transfer;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What becomes of those who wait while a process leaves, and of what it had still to do. */
class LeavingTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration A_MOMENT = Duration.ofMillis(10);
    private static final Duration LEAVING =
            OneProcess.TIMING.stopLead().plus(OneProcess.CALL.multipliedBy(4)).plusMillis(5);

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<Event> events = new ArrayList<>();
    private final List<ElectionName> stepped = new ArrayList<>();
    private final List<SessionEvent> sessionEvents = new ArrayList<>();
    private final OneProcess a = new OneProcess(platform, store, "a", new Hearing());

    @Test
    void whoWaitsForAResignationHearsThatTheProcessLeftBeforeTheTaskReturned() {
        Candidacy candidacy = leadingBehindAFence("job");
        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        CompletableFuture<Transfer> transferred =
                candidacy.transferTo(new CandidateId("b")).toCompletableFuture();
        a.answers.put("swap", OneProcess.UNANSWERED);

        a.runtime.closeAsync();
        platform.pass(LEAVING.plus(OneProcess.CALL.multipliedBy(4)));

        assertThat(resigned).isDone();
        assertThat(transferred).isDone();
        assertThatThrownBy(() -> resigned.getNow(null))
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("this process left job before its task had returned");
        assertThat(transferred.getNow(null)).isInstanceOf(Transfer.Aborted.class);
    }

    @Test
    void whoHasLeftWithoutATermHasResignedAndTransfersNothing() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.closeAsync();
        platform.task().returns();
        platform.pass(A_MOMENT);

        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        CompletableFuture<Transfer> transferred =
                candidacy.transferTo(new CandidateId("b")).toCompletableFuture();
        platform.run();

        assertThat(resigned).isCompletedWithValue(null);
        assertThat(transferred).isCompletedWithValue(new Transfer.Aborted("this process has left job"));
    }

    @Test
    void oneWhoIsUnwellBeforeItStoodDoesNotStandUntilItIsWell() {
        Candidacy candidacy = a.election("job").guarding(sink("ledger")).campaign(TASK);
        candidacy.setHealthy(false);
        platform.pass(Duration.ofSeconds(20));
        assertThat(platform.tasks).isEmpty();

        candidacy.setHealthy(true);
        platform.pass(Duration.ofSeconds(20));

        assertThat(platform.tasks).hasSize(1);
    }

    @Test
    void allIsClosedOnceHoweverOftenThatIsAsked() {
        a.election("job").campaign(TASK);
        a.led();

        a.runtime.closeAsync();
        a.runtime.closeAsync();
        platform.run();
        a.runtime.closeAsync();
        platform.run();

        assertThat(sessionEvents.stream().filter(SessionEvent.Closing.class::isInstance))
                .hasSize(1);
        platform.task().returns();
        platform.pass(LEAVING.multipliedBy(2));
        assertThat(a.callsOf("revoke")).isEqualTo(1);
        assertThat(sessionEvents.stream().filter(SessionEvent.Closed.class::isInstance))
                .hasSize(1);
    }

    @Test
    void everyTaskThatStillRunsIsNamed() {
        a.election("one").campaign(TASK);
        a.election("other").campaign(TASK);
        platform.pass(A_MOMENT);

        CompletableFuture<Set<Term>> closed = a.runtime.closeAsync().toCompletableFuture();
        platform.pass(LEAVING);

        assertThat(closed).isDone();
        assertThat(closed.getNow(Set.of()).stream().map(term -> term.election().value()))
                .containsExactly("one", "other");
    }

    @Test
    void aTaskThatIsFencedDoesNotHoldUpTheEndOfTheSession() {
        leadingBehindAFence("job");
        a.answers.put("swap", OneProcess.UNANSWERED);

        a.runtime.closeAsync();
        platform.pass(LEAVING);

        assertThat(a.callsOf("revoke")).isEqualTo(1);
        platform.pass(LEAVING);
        assertThat(sessionEvents.stream().filter(SessionEvent.Closed.class::isInstance))
                .hasSize(1);
    }

    @Test
    void whatRemainsOfATermThatIsOverIsNothing() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        platform.pass(Duration.ofSeconds(6));
        assertThat(platform.time.nanos()).as("a clock above zero").isPositive();

        candidacy.resign();
        platform.run();

        assertThat(led.remaining()).isZero();
        assertThat(led.holds()).isFalse();
    }

    @Test
    void whoVacatesStandsLast() {
        aLeadsBeforeB().resign();
        platform.run();
        platform.task().returns();
        platform.pass(Duration.ofSeconds(20));

        assertThat(line()).containsExactly("b", "a");
    }

    @Test
    void whoVacatesStandsLastAlthoughItsWithdrawalFailed() {
        Candidacy candidacy = aLeadsBeforeB();
        a.answers.put("withdraw", () -> {
            a.answers.clear();
            return OneProcess.failing("cut off", false).get();
        });

        candidacy.resign();
        platform.run();
        platform.task().returns();
        platform.pass(Duration.ofSeconds(20));

        assertThat(a.answers).isEmpty();
        assertThat(line()).containsExactly("b", "a");
    }

    private Candidacy aLeadsBeforeB() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
        b.election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        assertThat(line()).containsExactly("a", "b");
        assertThat(b.callsOf("withdraw")).as("who was never on the list").isZero();
        return candidacy;
    }

    @Test
    void theProofOfAWatchIsAsOldAsTheWatchSays() {
        a.election("job").campaign(TASK);
        a.led();

        platform.pass(Duration.ofSeconds(5));

        assertThat(events)
                .filteredOn(Event.WatchProved.class::isInstance)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(((Event.WatchProved) event).sentAtNanos())
                        .isLessThanOrEqualTo(platform.time.nanos()));
    }

    /** A swap of its own that landed late, or a store that was put back: nobody else may take that name off while its lease lives. */
    @Test
    void whoHasLeftAndIsNamedAgainTakesItsNameOff() {
        Candidacy job = a.election("job").campaign(TASK);
        a.election("other").campaign(TASK);
        platform.pass(A_MOMENT);
        job.closeAsync();
        platform.run();
        tasksOfJobReturn();
        ObservedRecord vacated = record("job");
        assertThat(vacated.record().leader()).isEmpty();

        LeaderRecord other = record("other").record();
        LeaderRecord named = vacated.record()
                .claimedBy(2, a.runtime.candidate(), other.lease().orElseThrow(), other.leaseLength(), other.since());
        seer().swap(new ElectionName("job"), vacated.revision(), named.written("late:1"));
        assertThat(record("job").record().leader()).isPresent();
        platform.pass(OneProcess.TIMING.renewEvery().multipliedBy(12));

        assertThat(record("job").record().leader()).isEmpty();
        assertThat(a.runtime.state(new ElectionName("job")))
                .as("it has left again")
                .isEmpty();
        assertThat(record("job").record().term()).isGreaterThanOrEqualTo(2);
        assertThat(platform.tasks).as("it leads nothing by that").hasSize(2);
        assertThat(record("other").record().leader()).contains(a.runtime.candidate());
        a.election("job").campaign(TASK);
        platform.pass(OneProcess.TIMING.lease().multipliedBy(2));
        assertThat(platform.tasks).as("it may stand there again").hasSize(3);
    }

    @Test
    void whoTookItsNameOffKnowsStillWhichNumbersItWonAndHearsNothingMore() {
        Candidacy job = a.election("job").campaign(TASK);
        a.election("other").campaign(TASK);
        platform.pass(A_MOMENT);
        LeaderRecord first = record("job").record();
        job.resign();
        platform.run();
        tasksOfJobReturn();
        platform.pass(OneProcess.TIMING.lease());
        assertThat(record("job").record().term()).isEqualTo(2);
        job.closeAsync();
        platform.run();
        tasksOfJobReturn();

        seer().swap(JOB, record("job").revision(), first.written("restored:1"));
        platform.pass(OneProcess.TIMING.renewEvery().multipliedBy(12));
        assertThat(record("job").record().leader()).as("it took its name off").isEmpty();
        stepped.clear();
        seer().swap(JOB, record("job").revision(), record("job").record().written("another:1"));
        platform.pass(A_MOMENT);
        assertThat(stepped).doesNotContain(JOB);

        Candidacy anew = a.election("job").campaign(TASK);
        platform.pass(OneProcess.TIMING.lease().multipliedBy(2));
        assertThat(anew.leadership())
                .hasValueSatisfying(led -> assertThat(led.token().value()).isGreaterThan(2));
    }

    /** Its swap may still land, and so it has not left, although another might stand there. */
    @Test
    void whoHasNotLeftStaysThoughOneWhoWaitedBehindItNoLongerDoes() {
        CompletableFuture<Object> late = new CompletableFuture<>();
        a.answers.put("swap", () -> late);
        Candidacy first = a.election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        first.closeAsync();
        Candidacy second = a.election("job").campaign(TASK);
        platform.run();
        second.closeAsync();
        platform.run();

        late.completeExceptionally(new CoordinatorException("who knows", true));
        platform.pass(A_MOMENT);

        assertThat(a.runtime.state(JOB)).isPresent();
    }

    @Test
    void whoLeavesWhileItWaitsToReadOnceMoreIsWokenNoMore() {
        new OneProcess(platform, store, "b", Trace.NONE).election("job").campaign();
        platform.pass(A_MOMENT);
        a.watch = Optional.of(() -> {});
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        a.answers.put("read", OneProcess.failing("cut off", false));
        a.watchers.get(0).gap();
        platform.run();
        assertThat(events).last().isEqualTo(new Event.RecordUnread("cut off"));

        candidacy.closeAsync();
        platform.run();
        assertThat(a.runtime.state(JOB)).as("it has left").isEmpty();
        events.clear();
        platform.pass(OneProcess.TIMING.lease().multipliedBy(2));

        assertThat(events).isEmpty();
    }

    @Test
    void closingAllWaitsNoLongerThanARequestTimeoutForListenersThatBlock() {
        a.election("job").campaign();
        platform.pass(A_MOMENT);
        platform.userCodeIsBlocked = true;

        a.runtime.closeAsync();
        platform.pass(OneProcess.CALL.minusMillis(5));
        assertThat(a.callsOf("revoke")).isEqualTo(1);
        assertThat(platform.closed).isZero();
        platform.pass(A_MOMENT);

        assertThat(platform.closed).isEqualTo(1);
    }

    @Test
    void whoLeadsWithoutATaskIsAskedForNothingAndHasResignedAtOnce() {
        Candidacy candidacy = a.election("job").campaign();
        platform.pass(A_MOMENT);

        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        platform.run();

        assertThat(resigned).isCompleted();
    }

    @Test
    void whoseTermIsOverHasNotResignedWhileItsTaskRuns() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));
        platform.pass(OneProcess.TIMING.lease().multipliedBy(2));
        assertThat(candidacy.leadership()).isEmpty();

        CompletableFuture<Void> resigned = candidacy.resign().toCompletableFuture();
        platform.pass(A_MOMENT);
        assertThat(resigned).isNotDone();
        platform.task().returns();
        platform.pass(A_MOMENT);

        assertThat(resigned).isCompleted();
    }

    @Test
    void theSessionIsWokenOnceForEachKeepAliveHoweverManyElectionsThereAre() {
        a.election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        a.election("other").campaign(TASK);
        platform.pass(OneProcess.TIMING.lease().multipliedBy(10));

        assertThat(a.callsOf("keepAlive")).isBetween(28L, 31L);
        assertThat(sessionEvents.stream().filter(SessionEvent.Woken.class::isInstance))
                .hasSize((int) a.callsOf("keepAlive"));
    }

    @Test
    void aTermThatEndsOtherwiseIsNotHandedOver() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        new OneProcess(platform, store, "b", Trace.NONE).election("job").campaign(TASK);
        platform.pass(A_MOMENT);
        CompletableFuture<Transfer> transferred =
                candidacy.transferTo(new CandidateId("b")).toCompletableFuture();
        platform.run();

        led.reportStale(new StaleTokenException(JOB, led.token(), "7 of another"));
        tasksOfJobReturn();
        platform.pass(OneProcess.TIMING.lease());

        assertThat(transferred)
                .isCompletedWithValue(new Transfer.Aborted("the term ended otherwise; this process is CANDIDATE"));
    }

    @Test
    void whoWasLeftAndIsNotReadStaysLeft() {
        Candidacy job = a.election("job").campaign(TASK);
        a.election("other").campaign();
        platform.pass(A_MOMENT);
        job.closeAsync();
        platform.run();
        tasksOfJobReturn();
        long watched = a.callsOf("watch");
        a.answers.put("read", OneProcess.failing("cut off", false));

        platform.pass(OneProcess.TIMING.renewEvery().multipliedBy(12));

        assertThat(a.callsOf("watch")).isEqualTo(watched);
        assertThat(a.runtime.state(JOB)).isEmpty();
    }

    @Test
    void whoIsAskedAsAnotherWouldBeHearsIt() {
        a.election("job").campaign(TASK);
        platform.pass(A_MOMENT);

        a.runtime.post(JOB, new Event.HealthChanged(false));
        platform.run();

        assertThat(events).contains(new Event.HealthChanged(false));
    }

    private void tasksOfJobReturn() {
        List.copyOf(platform.tasks).stream()
                .filter(task -> task.leadership.term().election().equals(JOB))
                .forEach(OneThread.Started::returns);
        platform.pass(A_MOMENT);
    }

    @Test
    void nobodyIsToldOfAValidityThatIsOver() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        List<Object> heard = new ArrayList<>();

        candidacy.resign();
        led.onRenewed(heard::add);
        platform.run();

        assertThat(heard).isEmpty();
    }

    private Coordinator seer() {
        return MemoryCoordinator.connect(store, platform.time, Duration.ofSeconds(1));
    }

    private ObservedRecord record(String election) {
        ElectionName name = new ElectionName(election);
        return seer().read(Set.of(name)).toCompletableFuture().getNow(Map.of()).get(name) instanceof Reading.Found found
                ? found.record()
                : ObservedRecord.ABSENT;
    }

    private Candidacy leadingBehindAFence(String election) {
        Candidacy candidacy = a.election(election).guarding(sink("ledger")).campaign(TASK);
        platform.pass(A_MOMENT);
        assertThat(platform.tasks).hasSize(1);
        return candidacy;
    }

    private MemorySink sink(String id) {
        return new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId(id)), platform.time, Duration.ofSeconds(1));
    }

    private List<String> line() {
        ElectionName job = new ElectionName("job");
        return seer()
                .candidates(Set.of(job))
                .toCompletableFuture()
                .getNow(Map.of())
                .getOrDefault(job, List.of())
                .stream()
                .map(enlisted -> enlisted.candidate().name())
                .toList();
    }

    /** Hears what the machines are told. */
    private final class Hearing implements Trace {
        @Override
        public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
            events.add(event);
            stepped.add(election);
        }

        @Override
        public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
            sessionEvents.add(event);
        }

        @Override
        public void failed(String what, Throwable failure) {}
    }
}
