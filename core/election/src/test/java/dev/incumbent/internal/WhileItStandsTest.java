package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A process that stands in several elections, or whose standing is held up: each election goes its own way. */
class WhileItStandsTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration A_MOMENT = Duration.ofMillis(10);

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final OneProcess a = new OneProcess(platform, store, "a", Trace.NONE);

    @Test
    void aLeaseThatIsGrantedTooShortIsToldWithItsNumbers() {
        a.answers.put(
                "grant",
                () -> CompletableFuture.completedStage(new GrantedLease(new LeaseId("short"), Duration.ofSeconds(1))));

        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(A_MOMENT);

        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("unsafe timing", "a lease of 1000 ms"));
        assertThat(platform.tasks).isEmpty();
    }

    @Test
    void whoClosesWhileItsSinksAreAskedHasLeftAtOnceAndNeverStands() {
        CompletableFuture<SinkId> id = new CompletableFuture<>();
        Candidacy candidacy = a.election("job").guarding(new Asked(() -> id)).campaign(TASK);
        platform.pass(A_MOMENT);

        CompletableFuture<Void> left = candidacy.closeAsync().toCompletableFuture();
        platform.run();
        assertThat(left).isDone();
        id.complete(new SinkId("ledger"));
        platform.pass(Duration.ofSeconds(20));

        assertThat(platform.tasks).isEmpty();
        assertThat(a.callsOf("enlist")).isZero();
    }

    @Test
    void whoIsNotHealthyBeforeItsSinksAreKnownStandsOnceItIs() {
        CompletableFuture<SinkId> id = new CompletableFuture<>();
        Candidacy candidacy = a.election("job").guarding(new Asked(() -> id)).campaign(TASK);
        platform.pass(A_MOMENT);
        candidacy.setHealthy(false);
        platform.pass(A_MOMENT);
        id.complete(new SinkId("ledger"));
        platform.pass(Duration.ofSeconds(20));
        assertThat(a.callsOf("enlist")).isZero();
        assertThat(platform.tasks).isEmpty();

        candidacy.setHealthy(true);
        platform.pass(Duration.ofSeconds(20));

        assertThat(candidacy.leadership()).isPresent();
    }

    @Test
    void aSinkThatDoesNotAnswerAtFirstIsAskedAgainAfterARequestTimeout() {
        int[] asked = {0};
        Asked sink = new Asked(() -> ++asked[0] == 1
                ? CompletableFuture.failedFuture(new SinkException("no route"))
                : CompletableFuture.completedStage(new SinkId("ledger")));

        Candidacy candidacy = a.election("job").guarding(sink).campaign(TASK);
        platform.pass(OneProcess.CALL.minusMillis(2));
        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("no route"));
        assertThat(asked[0]).isEqualTo(1);
        platform.pass(A_MOMENT);

        assertThat(asked[0]).isEqualTo(2);
        assertThat(candidacy.leadership()).isPresent();
    }

    @Test
    void aSinkOfTwoCoordinatorsIsTroubleUntilATermBegins() {
        Queue<Integer> met = new ArrayDeque<>(List.of(10, 20, 30));
        Asked sink = new Asked(
                () -> CompletableFuture.completedStage(new SinkId("ledger")),
                raised -> met.isEmpty() ? raised : new Raise.Refused(markOf(met.remove())));
        Candidacy candidacy = a.election("job").guarding(sink).campaign(TASK);
        platform.pass(OneProcess.TIMING.lease().multipliedBy(5));
        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("two coordinators"));

        platform.pass(OneProcess.TIMING.lease().multipliedBy(10));

        assertThat(candidacy.leadership()).isPresent();
        assertThat(candidacy.health().trouble()).isEmpty();
    }

    private static Mark markOf(int token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("ann"));
    }

    @Test
    void whoWaitsInOneElectionIsNotDroppedByWhoLeavesAnother() {
        Candidacy one = a.election("one").campaign(TASK);
        Candidacy other = a.election("other").campaign(TASK);
        platform.pass(A_MOMENT);
        one.closeAsync();
        other.closeAsync();
        platform.run();
        Candidacy oneAnew = a.election("one").campaign(TASK);
        a.election("other").campaign(TASK);
        platform.run();

        CompletableFuture<Void> left = oneAnew.closeAsync().toCompletableFuture();
        platform.run();
        assertThat(left).isDone();
        platform.tasks.subList(0, 2).forEach(OneThread.Started::returns);
        platform.pass(Duration.ofSeconds(20));

        assertThat(platform.tasks).hasSize(3);
        assertThat(platform.task().leadership.term().election()).isEqualTo(new ElectionName("other"));
    }

    @Test
    void whoStandsWhileItsSessionEndsDoesNotLeadByItsLease() {
        Candidacy stalls = a.election("stalls").campaign(TASK);
        a.led();
        stalls.resign();
        platform.pass(OneProcess.TIMING.stopLead().plusMillis(100));
        assertThat(stalls.health().stalled()).isTrue();

        a.election("later").campaign(TASK);
        platform.pass(Duration.ofSeconds(2));

        assertThat(platform.tasks).as("its lease is let run out").hasSize(1);
    }

    @Test
    void aTaskThatKeepsItsSessionIsWaitedForHoweverLongItRuns() {
        platform.taskRules = TaskRules.DEFAULT.keepingTheLease();
        Candidacy stalls = a.election("job").campaign(TASK);
        a.led();
        new OneProcess(platform, store, "b", Trace.NONE).election("job").campaign(TASK);
        stalls.resign();

        platform.pass(Duration.ofMinutes(1));
        assertThat(stalls.health().stalled()).isTrue();
        assertThat(platform.tasks).as("b waits").hasSize(1);

        platform.task().returns();
        platform.pass(Duration.ofSeconds(1));
        assertThat(platform.task().leadership.term().leader().name()).isEqualTo("b");
    }

    @Test
    void whoStandsTwiceIsRefusedAndTheFirstLeadsOn() {
        Election election = a.election("job");
        Candidacy first = election.campaign(TASK);
        platform.pass(A_MOMENT);

        assertThatThrownBy(() -> election.campaign(TASK))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this process stands in job already");
        platform.pass(A_MOMENT);
        assertThat(first.leadership()).isPresent();

        a.runtime.closeAsync();
        assertThatThrownBy(() -> a.election("another").campaign(TASK))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("these elections are closed");
    }

    @Test
    void aListenerThatThrowsWhenItsTermBeginsEndsItAndIsTold() {
        Candidacy candidacy = a.election("job").campaign(new TermListener() {
            @Override
            public void onGranted(Leadership leadership) {
                throw new IllegalStateException("no room");
            }

            @Override
            public void onRevoked(Leadership leadership, EndReason reason) {}
        });
        platform.pass(A_MOMENT);

        assertThat(candidacy.leadership()).isEmpty();
        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("the listener of term 1", "no room"));
    }

    /** A sink whose identity is what a test says, and which answers a raise as the test says. */
    private record Asked(Supplier<CompletionStage<SinkId>> identity, UnaryOperator<Raise> answers) implements Sink {
        Asked(Supplier<CompletionStage<SinkId>> identity) {
            this(identity, UnaryOperator.identity());
        }

        @Override
        public CompletionStage<SinkId> id() {
            return identity.get();
        }

        @Override
        public String label() {
            return "ledger";
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            return CompletableFuture.completedStage(answers.apply(new Raise.Raised(mark)));
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
