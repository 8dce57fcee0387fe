package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.Transfer;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Capabilities.Consistency;
import dev.incumbent.coordinator.Capabilities.ExpiryClock;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.SessionEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a process asks beside its keep-alives, and what it does about the answers. */
class BesideKeepAlivesTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration LEASE = OneProcess.TIMING.lease();

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final OneProcess a = new OneProcess(platform, store, "a", Trace.NONE);
    private final OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);
    private final List<String> asked = new ArrayList<>();
    private final List<Object> askedFor = new ArrayList<>();
    private Optional<MarksRead> told = Optional.empty();

    @Test
    void theRecordIsReadWithEachKeepAliveByTheLeaderAndOnceInALeaseByAFollower() {
        aLeadsAndBStands();

        platform.pass(LEASE.multipliedBy(10));

        assertThat(b.callsOf("keepAlive")).isBetween(28L, 31L);
        assertThat(a.callsOf("read")).isEqualTo(a.callsOf("keepAlive"));
        assertThat(b.callsOf("read")).isBetween(9L, 11L);
    }

    @Test
    void theFollowerOfAStoreThatIsPolledReadsWithEachKeepAlive() {
        assertThat(Proofs.followersEvery(pushing(true), OneProcess.TIMING)).isEqualTo(3);
        assertThat(Proofs.followersEvery(pushing(false), OneProcess.TIMING)).isEqualTo(1);
    }

    @Test
    void aFollowerWhoseWatchIsSilentlyDeadLeadsWithinALeaseOfTheVacancy() {
        b.watch = Optional.of(() -> {});
        Candidacy first = a.election("job").campaign();
        platform.pass(Duration.ofMillis(20));
        Candidacy second = b.election("job").campaign();
        platform.pass(LEASE);
        assertThat(first.leadership()).isPresent();

        first.close();
        platform.pass(LEASE.plus(OneProcess.CALL));

        assertThat(second.leadership()).isPresent();
    }

    /** More elections than are read at a time. */
    @Test
    void whatProvesATermIsReadBeforeWhatOthersLead() {
        for (int i = 0; i < 600; i++) {
            b.election("other-" + i).campaign();
        }
        platform.pass(Duration.ofMillis(20));
        for (int i = 0; i < 600; i++) {
            a.election("other-" + i).campaign();
        }
        a.election("job").campaign();
        platform.pass(Duration.ofMillis(20));
        a.reads.clear();
        for (int i = 0; i < 3 && !hasRead("other-0"); i++) {
            a.reads.clear();
            platform.pass(OneProcess.TIMING.renewEvery());
        }

        assertThat(hasRead("other-0")).as("beside one keep-alive of three").isTrue();
        assertThat(a.reads.get(0)).isEqualTo(Set.of(new ElectionName("job")));
    }

    @Test
    void whoFollowsNobodyReadsTheRecordWithEachKeepAlive() {
        a.election("job").campaign(TASK).setHealthy(false);
        platform.pass(LEASE);
        a.calls.clear();

        platform.pass(LEASE.multipliedBy(10));

        assertThat(platform.tasks).isEmpty();
        assertThat(a.callsOf("keepAlive")).isBetween(28L, 31L);
        assertThat(a.callsOf("read")).isEqualTo(a.callsOf("keepAlive"));
    }

    @Test
    void whoeverStandsLooksAtTheListWithEachTenthKeepAliveAndWhoeverLeadsDoesNot() {
        aLeadsAndBStands();

        platform.pass(LEASE.multipliedBy(20));

        assertThat(b.callsOf("keepAlive")).isBetween(57L, 63L);
        assertThat(b.callsOf("candidates")).isBetween(5L, 7L);
        assertThat(a.callsOf("candidates")).isZero();
    }

    @Test
    void theMarksOfALeadersSinkAreReadWithEachKeepAliveAndOneThatIsGoneIsRaisedAgain() {
        a.election("job").guarding(ledger()).campaign(TASK);
        a.led();
        assertThat(asked).containsOnlyOnce("raise");

        platform.pass(LEASE);
        assertThat(asked.stream().filter("marks"::equals)).hasSizeBetween(2, 4);
        told = Optional.of(MarksRead.of(Map.of()));
        platform.pass(LEASE.dividedBy(3).plusMillis(50));

        assertThat(asked.stream().filter("raise"::equals)).hasSizeGreaterThan(1);
    }

    /** No raise could mend it, and the sink admits nobody past it. */
    @Test
    void aMarkThatCannotBeReadIsNotTakenForOneThatIsGone() {
        a.election("job").guarding(ledger()).campaign(TASK);
        a.led();
        told = Optional.of(new MarksRead(Map.of(), Map.of(new ElectionName("job"), "seven")));

        platform.pass(LEASE.multipliedBy(2));

        assertThat(asked.stream().filter("marks"::equals)).hasSizeGreaterThan(3);
        assertThat(asked).containsOnlyOnce("raise");
        assertThat(platform.task().interrupts).isZero();
    }

    @Test
    void aMarkThatCannotBeReadHidesNoOtherThatIsGone() {
        Sink ledger = ledger();
        a.election("job").guarding(ledger).campaign(TASK);
        a.election("other").guarding(ledger).campaign(TASK);
        a.led();
        assertThat(asked.stream().filter("raise"::equals)).hasSize(2);
        told = Optional.of(new MarksRead(Map.of(), Map.of(new ElectionName("job"), "seven")));

        platform.pass(LEASE.dividedBy(3).plusMillis(50));

        assertThat(asked.stream().filter("raise"::equals))
                .as("the other is raised again")
                .hasSize(3);
    }

    @Test
    void theMarksOfAllElectionsOfOneSinkAreOneQuestion() {
        Sink ledger = ledger();
        a.election("job").guarding(ledger).campaign(TASK);
        a.election("other").guarding(ledger).campaign(TASK);
        platform.pass(LEASE);
        askedFor.clear();

        platform.pass(LEASE);

        assertThat(askedFor)
                .hasSizeBetween(2, 4)
                .containsOnly(Set.of(new ElectionName("job"), new ElectionName("other")));
    }

    @Test
    void aLeaseThatIsSaidToBeLostIsReplacedAtOnceAndOneThatIsNotAnsweredForIsKept() {
        a.election("job").campaign(TASK);
        a.led();
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));
        platform.pass(LEASE.dividedBy(3).plusMillis(50));
        assertThat(a.callsOf("grant")).isEqualTo(1);

        CompletableFuture<Void> gone =
                CompletableFuture.failedFuture(new LeaseLostException(new LeaseId("1"), "it is gone"));
        a.answers.put("keepAlive", () -> gone);
        platform.pass(OneProcess.CALL.multipliedBy(2));

        assertThat(a.callsOf("grant")).isEqualTo(2);
    }

    @Test
    void whoIsNotWatchedOverYetStandsOnceItIs() {
        a.answers.put("watch", () -> {
            throw new CoordinatorException("no watches now", false);
        });
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(Duration.ofMillis(10));
        assertThat(candidacy.health().trouble()).contains("it cannot stand yet: no watches now");
        a.answers.clear();

        platform.pass(OneProcess.CALL.plusMillis(50));

        assertThat(candidacy.leadership()).isPresent();
        assertThat(candidacy.health().trouble()).isEmpty();
    }

    @Test
    void aTaskThatHasReturnedIsNotToldToStopOnceMore() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        OneThread.Started task = platform.task();
        candidacy.resign();
        platform.run();
        task.returns();

        platform.pass(LEASE.multipliedBy(2));

        assertThat(task.interrupts).isEqualTo(1);
    }

    @Test
    void whoseTermIsOverHandsNothingOver() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.resign();
        platform.run();

        CompletableFuture<Transfer> asked =
                candidacy.transferTo(new CandidateId("b")).toCompletableFuture();
        platform.run();

        assertThat(asked).isCompletedWithValue(new Transfer.Aborted("this process does not lead"));
    }

    @Test
    void aStepOfTheSessionThatThrowsIsFollowedByAnotherAfterARequestTimeoutAndNotBefore() {
        List<Long> steps = new ArrayList<>();
        platform.machines = new Machines() {
            @Override
            public OfSession session(Timing timing) {
                OfSession whole = Machines.SHIPPED.session(timing);
                return (state, event, now) -> {
                    boolean isThrowing = steps.isEmpty() && event instanceof SessionEvent.KeptAlive;
                    if (isThrowing || !steps.isEmpty()) {
                        steps.add(now.nanos());
                    }
                    if (isThrowing) {
                        throw new ArithmeticException("overflow");
                    }
                    return whole.step(state, event, now);
                };
            }
        };
        OneProcess c = new OneProcess(platform, store, "c", Trace.NONE);
        Candidacy candidacy = c.election("job").campaign(TASK);

        platform.pass(LEASE.multipliedBy(2));

        assertThat(steps.get(1) - steps.get(0))
                .isBetween(
                        OneProcess.CALL.toNanos(), OneProcess.CALL.plusMillis(5).toNanos());
        assertThat(platform.task().interrupts)
                .as("no keep-alive is proved, so the term ends")
                .isPositive();
        platform.task().returns();
        platform.pass(LEASE);
        assertThat(candidacy.leadership()).as("with a new lease").isPresent();
    }

    private static Capabilities pushing(boolean pushes) {
        Duration any = Duration.ofMillis(1);
        return new Capabilities(any, any, any, pushes, true, ExpiryClock.SERVER_MONOTONIC, Consistency.LINEARIZABLE);
    }

    private boolean hasRead(String election) {
        return a.reads.stream().anyMatch(read -> read.contains(new ElectionName(election)));
    }

    private void aLeadsAndBStands() {
        a.election("job").campaign(TASK);
        a.led();
        b.election("job").campaign(TASK);
        platform.pass(LEASE);
        a.calls.clear();
        b.calls.clear();
    }

    /** A sink that notes what it is asked, and tells of its marks what a test would have it tell. */
    private Sink ledger() {
        MemorySink sink = new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId("s")), platform.time, Duration.ofSeconds(1));
        return (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    boolean isOfMarks = method.getName().equals("marks");
                    if (isOfMarks) {
                        askedFor.add(Set.copyOf((Set<?>) arguments[0]));
                    }
                    return isOfMarks && told.isPresent()
                            ? CompletableFuture.completedStage(told.get())
                            : method.invoke(sink, arguments);
                });
    }
}
