package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.Transfer;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a call's end becomes for the machine: the trace hears it. */
class ElectionDriverTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final ElectionName JOB = new ElectionName("job");
    private static final SinkId LEDGER = new SinkId("ledger");

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<Event> events = new ArrayList<>();
    private final List<SessionEvent> sessionEvents = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final OneProcess a = new OneProcess(platform, store, "a", new Hearing());

    @Test
    void aSwapThatSurelyDidNotApplyHasFailedAndAnyOtherIsUncertain() {
        a.answers.put("swap", OneProcess.failing("refused", false));
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));
        assertThat(events).hasAtLeastOneElementOfType(Event.SwapFailed.class);
        assertThat(events).doesNotHaveAnyElementsOfTypes(Event.SwapUncertain.class);

        a.answers.put("swap", OneProcess.failing("late", true));
        platform.pass(Duration.ofSeconds(5));

        assertThat(events).hasAtLeastOneElementOfType(Event.SwapUncertain.class);
        assertThat(candidacy.leadership()).isEmpty();
        a.answers.clear();
        platform.pass(Duration.ofSeconds(20));
        assertThat(candidacy.leadership()).isPresent();
        assertThat(events).hasAtLeastOneElementOfType(Event.SwapAccepted.class);
    }

    @Test
    void aListingThatFailsIsToldAndTriedAgain() {
        a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", new Hearing());
        b.answers.put("enlist", OneProcess.failing("full", false));
        Candidacy second = b.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(events).contains(new Event.EnlistFailed("full"));
        assertThat(second.health().enlisted()).isFalse();
        b.answers.clear();
        platform.pass(Duration.ofSeconds(10));

        assertThat(second.health().enlisted()).isTrue();
        assertThat(events).contains(new Event.CandidateEnlisted());
    }

    /** A withdrawal that arrives late must not undo what came after it. */
    @Test
    void eachChangeOfThePlaceInLineWaitsForTheOneBefore() {
        a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", new Hearing());
        CompletableFuture<Void> late = new CompletableFuture<>();
        b.answers.put("enlist", () -> late);
        Candidacy second = b.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));
        second.closeAsync();
        platform.pass(Duration.ofMillis(10));
        assertThat(b.callsOf("withdraw")).isZero();

        late.complete(null);
        platform.run();

        assertThat(b.callsOf("withdraw")).isEqualTo(1);
    }

    @Test
    void aWithdrawalThatFailsIsTraced() {
        a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", new Hearing());
        Candidacy second = b.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));
        b.answers.put("withdraw", OneProcess.failing("cut off", true));

        second.closeAsync();
        platform.pass(Duration.ofMillis(10));

        assertThat(failures).containsExactly("withdrawing b from job: cut off");
    }

    @Test
    void whoseSinkRefusesATooLargeStepSaysSo() {
        Candidacy candidacy = a.election("job")
                .guarding(new OneSink(() -> new Raise.TooFar(7)))
                .campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Event.MarkUnraised.class,
                                unraised -> assertThat(unraised.why())
                                        .startsWith("raising the mark from 7 to 1 is further than ")));
        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(t -> assertThat(t).startsWith("sink ledger could not be raised: raising the mark"));
    }

    /** So a sink ends a transaction that stands still for about a lease. */
    @Test
    void aSinkHearsHowLongTheLeasesAre() {
        OneSink sink = new OneSink(() -> new Raise.TooFar(7));

        a.election("job").guarding(sink).campaign(TASK);
        platform.pass(Duration.ofMillis(10));

        assertThat(sink.leases()).containsOnly(OneProcess.TIMING.lease());
    }

    @Test
    void aSinkThatRefusesAndOneThatThrowsAreTold() {
        Mark met = new Mark(new FencingToken(7), MarkOwner.ofOperator("ann"));
        List<Supplier<Raise>> answers = new ArrayList<>(List.of(
                () -> {
                    throw new IllegalStateException("at once");
                },
                () -> new Raise.Refused(met)));
        a.election("job")
                .guarding(new OneSink(() -> answers.size() > 1
                        ? answers.remove(0).get()
                        : answers.get(0).get()))
                .campaign(TASK);
        platform.pass(Duration.ofSeconds(30));

        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Event.MarkUnraised.class,
                                unraised -> assertThat(unraised.why()).isEqualTo("at once")))
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Event.MarkRefused.class,
                                refused -> assertThat(refused.inForce()).isEqualTo(met)));
    }

    @Test
    void whoIsToRaiseASinkThatItDoesNotHaveSaysWhichAndWhichItHas() {
        Mark mark = new Mark(new FencingToken(7), MarkOwner.ofOperator("ann"));
        platform.machines = new Machines() {
            @Override
            public OfElection election(Setup setup) {
                return (state, event, now) ->
                        new Step<>(state, List.of(new Effect.RaiseMark(new SinkId("other"), mark)), Step.NEVER);
            }
        };
        a.election("job").guarding(new OneSink(() -> new Raise.Raised(mark))).campaign(TASK);
        platform.run();

        assertThat(failures)
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure).endsWith("sink other of job is not among [ledger]"));
    }

    @Test
    void aTokenThatASinkRefusesSupersedesItsTerm() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();

        led.reportStale(new StaleTokenException(JOB, new FencingToken(5), "7 of another"));
        platform.pass(Duration.ofMillis(10));

        assertThat(events).contains(new Event.TokenRefused(1));
        assertThat(led.ended().toCompletableFuture()).isCompletedWithValue(EndReason.SUPERSEDED);
        assertThat(candidacy.leadership()).isEmpty();
        assertThat(platform.task().interrupts).isPositive();
    }

    @Test
    void whatATaskEndedInIsTold() {
        a.election("job").campaign(TASK);
        a.led();
        platform.task().fails(new StaleTokenException(JOB, new FencingToken(5), "7 of another"));
        assertThat(events).contains(new Event.TaskReturned(1, Event.TaskOutcome.STALE_TOKEN));

        passUntilTasks(2);
        platform.task().fails(new IllegalStateException("broken"));
        long second = platform.task().leadership.term().number();
        assertThat(events).contains(new Event.TaskReturned(second, Event.TaskOutcome.THREW));

        passUntilTasks(3);
        platform.task().returns();
        long third = platform.task().leadership.term().number();
        assertThat(events).contains(new Event.TaskReturned(third, Event.TaskOutcome.RETURNED));
    }

    @Test
    void aLeaseThatIsLostIsToldAsDeadAndAKeepAliveThatFailsAsMissed() {
        a.election("job").campaign(TASK);
        Leadership led = a.led();
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));
        platform.pass(OneProcess.TIMING.renewEvery());
        assertThat(sessionEvents)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                SessionEvent.KeepAliveFailed.class,
                                failed -> assertThat(failed.why()).isEqualTo("cut off")));
        assertThat(led.inJeopardy()).isTrue();
        assertThat(led.holds()).isTrue();
        assertThat(a.runtime.state(JOB))
                .hasValueSatisfying(s -> assertThat(s.role()).isEqualTo(Role.LEADER));

        a.answers.clear();
        platform.pass(OneProcess.TIMING.renewEvery());

        assertThat(led.inJeopardy()).isFalse();
        assertThat(sessionEvents).hasAtLeastOneElementOfType(SessionEvent.KeptAlive.class);
    }

    @Test
    void whatASessionsStepThrowsIsTracedAndItStepsAgain() {
        platform.machines = new Machines() {
            @Override
            public OfSession session(Timing timing) {
                OfSession whole = Machines.SHIPPED.session(timing);
                return (state, event, now) -> {
                    if (event instanceof SessionEvent.Opened && platform.time.nanos() < 0) {
                        throw new ArithmeticException("overflow");
                    }
                    return whole.step(state, event, now);
                };
            }
        };
        OneProcess b = new OneProcess(platform, store, "b", new Hearing());
        b.election("other").campaign(TASK);
        platform.run();
        assertThat(failures).containsExactly("stepping the session by Opened[]: overflow");

        sessionEvents.clear();
        platform.pass(OneProcess.CALL.plusMillis(2));

        assertThat(sessionEvents).contains(new SessionEvent.Woken());
    }

    @Test
    void anUncertainSwapIsSettledByAReadAtOnce() {
        a.answers.put("swap", OneProcess.failing("late", true));
        a.election("job").campaign(TASK);
        platform.run();

        assertThat(events).hasAtLeastOneElementOfType(Event.SwapUncertain.class);
        assertThat(a.calls.subList(a.calls.indexOf("swap"), a.calls.size())).contains("read");
    }

    @Test
    void aGapOfTheWatchIsFollowedByAReadAtOnce() {
        a.watch = Optional.of(() -> {});
        a.election("job").campaign(TASK);
        a.led();
        a.calls.clear();
        events.clear();

        a.watchers.get(0).gap();
        platform.run();

        assertThat(events).startsWith(new Event.WatchGapped()).hasAtLeastOneElementOfType(Event.RecordObserved.class);
        assertThat(a.callsOf("read")).isEqualTo(1);
    }

    @Test
    void aSinkThatCouldNotBeRaisedIsForgottenByTheTermThatRaisesIt() {
        List<Raise> answers = new ArrayList<>(List.of(new Raise.TooFar(7)));
        Candidacy candidacy = a.election("job")
                .guarding(new OneSink(() -> answers.isEmpty()
                        ? new Raise.Raised(new Mark(new FencingToken(9), MarkOwner.ofOperator("ann")))
                        : answers.remove(0)))
                .campaign(TASK);
        platform.pass(Duration.ofMillis(10));
        assertThat(candidacy.health().trouble()).isPresent();

        passUntilTasks(1);

        assertThat(candidacy.health().trouble()).isEmpty();
    }

    @Test
    void aTaskFindsItsCandidacyLeading() {
        List<Leadership> found = new ArrayList<>();
        List<Candidacy> own = new ArrayList<>();
        platform.whenATaskStarts = () -> own.get(0).leadership().ifPresent(found::add);
        own.add(a.election("job").campaign(TASK));

        Leadership led = a.led();

        assertThat(found).containsExactly(led);
        assertThat(led.remaining()).isPositive();
    }

    /** Neither its alarm nor its watch steps a machine that nobody drives any more. */
    @Test
    void whoHasLeftHearsNothingMore() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
        b.election("job").campaign(TASK);
        platform.pass(Duration.ofSeconds(1));
        candidacy.closeAsync();
        platform.run();
        platform.task().returns();
        platform.pass(Duration.ofMillis(50));
        assertThat(platform.tasks).hasSize(2);
        events.clear();

        platform.task().returns();
        passUntilTasks(3);

        assertThat(events).isEmpty();
    }

    @Test
    void aMachineThatThrewIsWokenAfterARequestTimeout() {
        List<Long> woken = new ArrayList<>();
        List<Long> threw = new ArrayList<>();
        platform.machines = new Machines() {
            @Override
            public OfElection election(Setup setup) {
                return (state, event, now) -> {
                    (event instanceof Event.Woken ? woken : threw).add(now.nanos());
                    throw new ArithmeticException("overflow");
                };
            }
        };
        a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(100));
        long last = threw.get(threw.size() - 1);
        assertThat(woken).isEmpty();

        platform.pass(OneProcess.CALL);

        assertThat(woken).hasSize(1);
        assertThat(woken.get(0) - last).isEqualTo(OneProcess.CALL.toNanos());
    }

    @Test
    void aTermThatIsHandedToAnotherMeanwhileIsNotHandedToTheFirst() {
        Candidacy first = a.election("job").campaign(TASK);
        a.led();
        OneThread.Started task = platform.task();
        for (String name : List.of("b", "c")) {
            new OneProcess(platform, store, name, Trace.NONE).election("job").campaign(TASK);
            platform.pass(Duration.ofSeconds(1));
        }

        CompletableFuture<Transfer> toB = first.transferTo(new CandidateId("b")).toCompletableFuture();
        CompletableFuture<Transfer> toC = first.transferTo(new CandidateId("c")).toCompletableFuture();
        platform.pass(Duration.ofMillis(10));
        task.returns();
        platform.pass(Duration.ofMillis(50));

        String next = platform.task().leadership.term().leader().name();
        assertThat(Arrays.asList(toB.getNow(null), toC.getNow(null)))
                .containsExactlyInAnyOrder(
                        new Transfer.HandedOver(new CandidateId(next)),
                        new Transfer.Aborted("a transfer to " + next + " replaced it"));
    }

    @Test
    void aTaskThatDoesNotStopEndsItsSession() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.resign();
        platform.pass(OneProcess.TIMING.stopLead().plusMillis(100));

        assertThat(candidacy.health().stalled()).isTrue();
        assertThat(sessionEvents).contains(new SessionEvent.TaskStalled());
    }

    @Test
    void onceTheTimeIsUpTheSessionIsRevokedAsSoonAsTheLastUnfencedTaskHasReturned() {
        a.election("job").campaign(TASK);
        a.led();
        a.answers.put("swap", OneProcess.UNANSWERED);
        CompletionStage<Set<Term>> closed = a.runtime.closeAsync();
        platform.pass(OneProcess.TIMING
                .stopLead()
                .plus(OneProcess.CALL.multipliedBy(4))
                .plusMillis(5));
        assertThat(closed.toCompletableFuture().getNow(Set.of())).hasSize(1);
        assertThat(a.callsOf("revoke")).isZero();

        platform.task().returns();

        assertThat(a.callsOf("revoke")).isEqualTo(1);
    }

    private void passUntilTasks(int count) {
        for (int i = 0; i < 600 && platform.tasks.size() < count; i++) {
            platform.pass(Duration.ofMillis(200));
        }
        assertThat(platform.tasks).hasSize(count);
    }

    /** Hears what the machines are told. */
    private final class Hearing implements Trace {
        @Override
        public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
            events.add(event);
        }

        @Override
        public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
            sessionEvents.add(event);
        }

        @Override
        public void failed(String what, Throwable failure) {
            failures.add(what + ": " + Calls.why(failure));
        }
    }

    /** A sink that raises as it is told. */
    private record OneSink(Supplier<Raise> raises, List<Duration> leases) implements Sink {
        OneSink(Supplier<Raise> raises) {
            this(raises, new ArrayList<>());
        }

        @Override
        public CompletionStage<SinkId> id() {
            return CompletableFuture.completedStage(LEDGER);
        }

        @Override
        public String label() {
            return "ledger";
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            return CompletableFuture.completedStage(raises.get());
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
            leases.add(lease);
            return raise(election, mark);
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            return CompletableFuture.completedStage(MarksRead.of(Map.of()));
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            return CompletableFuture.completedStage(MarksRead.of(Map.of()));
        }

        @Override
        public void close() {}
    }
}
