package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A process's listeners hear each change that a person would ask about, in order, once. */
class ToldTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration LEASE = OneProcess.TIMING.lease();

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<String> told = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Trace trace = new Trace() {
        @Override
        public void failed(String what, Throwable failure) {
            failures.add(what + ": " + Calls.why(failure));
        }
    };
    private boolean isShy = true;
    private final OneProcess a =
            new OneProcess(platform, store, "a", new Ears(trace, new Listeners(List.of(new Throwing(), new Noting()))));

    @Test
    void aTermIsToldWhenItBeginsAndWhyItEndsAndALaterListenerHearsItThoughOneThrows() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.resign();
        platform.run();
        platform.task().returns();
        platform.pass(LEASE);

        assertThat(told).containsExactly("granted 1", "revoked 1 RESIGNED", "granted 2");
        assertThat(failures).hasSize(2).allMatch("a listener of the elections: deaf"::equals);
    }

    @Test
    void aTaskThatThrowsIsToldBeforeItsTermEnds() {
        a.election("job").campaign(TASK);
        a.led();
        platform.task().fails(new IllegalStateException("broken"));
        platform.pass(Duration.ofMillis(5));

        assertThat(told).containsExactly("granted 1", "failed 1 broken", "revoked 1 TASK_FAILED");
    }

    @Test
    void aTransferThatIsGivenUpIsTold() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.transferTo(new CandidateId("nobody"));
        platform.pass(Duration.ofMillis(5));

        assertThat(told).containsExactly("granted 1", "declined 1 nobody it is not among the live candidates");
    }

    @Test
    void aTaskThatThrowsBecauseItWasToldToStopIsNoFailure() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.resign();
        platform.run();
        platform.task().fails(new InterruptedException());
        platform.pass(Duration.ofMillis(5));

        assertThat(told).startsWith("granted 1", "revoked 1 RESIGNED").noneMatch(line -> line.startsWith("failed"));
    }

    @Test
    void aCoordinatorThatGivesNoLeaseIsToldOnceForAllElectionsAndForHowLongOnceItAnswers() {
        a.answers.put("grant", OneProcess.failing("the store is full", false));
        a.election("job").campaign(TASK);
        a.election("other").campaign(TASK);
        platform.pass(LEASE.multipliedBy(2));
        assertThat(told).containsExactly("unreachable no lease: the store is full");
        a.answers.clear();
        platform.pass(LEASE);

        assertThat(told.get(1)).matches("reachable 1[6-9]");
        assertThat(told.subList(2, told.size())).containsExactlyInAnyOrder("granted 1", "granted 1");
    }

    @Test
    void aTroubleIsToldOnceAMinuteAndOnceMoreWhenItIsOver() {
        Candidacy candidacy = a.election("job").guarding(shy()).campaign(TASK);
        platform.pass(Teller.QUIET.minusSeconds(1));
        assertThat(told).containsExactly("trouble job a sink does not tell its id: it is shy");
        assertThat(candidacy.health().trouble()).isPresent();
        platform.pass(Duration.ofSeconds(3));
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).isEqualTo(told.get(0));

        isShy = false;
        platform.pass(Duration.ofSeconds(3));

        assertThat(told.subList(2, told.size()))
                .containsExactly("over job a sink does not tell its id: it is shy", "granted 1");
    }

    @Test
    void aTroubleThatAroseAMinuteAgoIsToldOnceMoreAndOneThatIsYoungerIsNot() {
        Teller teller = new Teller(new Noting(), platform, new LeaseClock(platform.time), Trace.NONE);
        ElectionName job = new ElectionName("job");
        teller.arose(job, Trouble.Kind.STEP, "odd");
        platform.time.advance(Teller.QUIET.minusNanos(1));
        teller.arose(job, Trouble.Kind.STEP, "odd");
        platform.run();
        assertThat(told).containsExactly("trouble job odd");

        platform.time.advance(Duration.ofNanos(1));
        teller.arose(job, Trouble.Kind.STEP, "odd");
        platform.run();

        assertThat(told).hasSize(2);
    }

    @Test
    void whoSaysWhyItIsNotHealthyEndsItsTermAndIsInTroubleUntilItIsHealthy() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.setUnhealthy("the disk is full");
        platform.run();
        platform.task().returns();
        platform.pass(LEASE);
        assertThat(candidacy.health().trouble()).hasValue("neither leads nor stands: the disk is full");
        candidacy.setHealthy(true);
        platform.pass(LEASE);

        assertThat(candidacy.health().trouble()).isEmpty();
        assertThat(told)
                .containsExactly(
                        "granted 1",
                        "trouble job neither leads nor stands: the disk is full",
                        "revoked 1 UNHEALTHY",
                        "over job neither leads nor stands: the disk is full",
                        "granted 2");
    }

    @Test
    void whoSaysOnceMoreThatItIsNotHealthyAndNotWhyKeepsTheReason() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        candidacy.setUnhealthy("the disk is full");
        platform.run();

        candidacy.setHealthy(false);
        platform.pass(LEASE);

        assertThat(candidacy.health().trouble()).hasValue("neither leads nor stands: the disk is full");
        assertThat(told).containsExactly("trouble job neither leads nor stands: the disk is full");
    }

    @Test
    void whoHasLeftIsInNoTroubleAnyMore() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.closeAsync();
        platform.task().returns();
        platform.pass(LEASE);

        candidacy.setUnhealthy("the disk is full");
        platform.pass(LEASE);

        assertThat(candidacy.health().trouble()).isEmpty();
        assertThat(told).noneMatch(line -> line.startsWith("trouble"));
    }

    /** A sink that does not tell its id while it is shy. */
    private Sink shy() {
        MemorySink sink = new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId("s")), platform.time, Duration.ofSeconds(1));
        return (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(),
                new Class<?>[] {Sink.class},
                (proxy, method, arguments) -> method.getName().equals("id") && isShy
                        ? CompletableFuture.failedFuture(new IllegalStateException("it is shy"))
                        : method.invoke(sink, arguments));
    }

    private final class Noting implements ElectionListener {
        @Override
        public void onGranted(Term term) {
            told.add("granted " + term.number());
        }

        @Override
        public void onRevoked(Term term, EndReason reason) {
            told.add("revoked " + term.number() + " " + reason);
        }

        @Override
        public void onTransferDeclined(Term term, String successor, String why) {
            told.add("declined " + term.number() + " " + successor + " " + why);
        }

        @Override
        public void onFailed(Term term, Throwable thrown) {
            told.add("failed " + term.number() + " " + thrown.getMessage());
        }

        @Override
        public void onTrouble(ElectionName election, String what) {
            told.add("trouble " + election + " " + what);
        }

        @Override
        public void onTroubleOver(ElectionName election, String what) {
            told.add("over " + election + " " + what);
        }

        @Override
        public void onUnreachable(String why) {
            told.add("unreachable " + why);
        }

        @Override
        public void onReachable(Duration after) {
            told.add("reachable " + after.toSeconds());
        }
    }

    private static final class Throwing implements ElectionListener {
        @Override
        public void onGranted(Term term) {
            throw new IllegalStateException("deaf");
        }
    }
}
