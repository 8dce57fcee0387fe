package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.FenceAgent;
import dev.incumbent.Stonith;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shipped driver has its predecessor turned off: when the agent is asked, what becomes of its answer, and what is said where there is none. */
class StonithTest {
    private static final String ELECTION = "billing";
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final Duration LEASES = OneProcess.TIMING.lease().multipliedBy(2);

    /** A fence agent of the test's. */
    private static final class Agent implements FenceAgent {
        final List<Holder> asked = new ArrayList<>();
        final List<Window> windows = new ArrayList<>();
        CompletableFuture<HolderProof.Kind> answer = new CompletableFuture<>();

        @Override
        public CompletionStage<HolderProof.Kind> turnOff(Holder holder, Window open) {
            asked.add(holder);
            windows.add(open);
            return answer;
        }
    }

    private final OneThread elsewhere = new OneThread();
    private final OneThread here = new OneThread();
    private final MemoryStore store = new MemoryStore(here.time);
    private final Agent agent = new Agent();
    private OneProcess second;

    /** A first process leads and is not heard of again; nobody has told whether its task runs. */
    @BeforeEach
    void theFirstLeads() {
        OneProcess first = new OneProcess(elsewhere, store, "a", Trace.NONE);
        first.election(ELECTION).withStonith(stonith("n1", new Agent())).campaign(leadership -> {});
        elsewhere.pass(Duration.ofMillis(5));
        assertThat(elsewhere.tasks).hasSize(1);
        second = new OneProcess(here, store, "b", Trace.NONE);
    }

    @Test
    void aTermBeginsOnceTheAgentHasSeenItsPredecessorOff() {
        stands();
        untilItIsAsked();
        assertThat(agent.asked).extracting(Holder::term, one -> one.on().node()).containsExactly(tuple(1L, "n1"));
        assertThat(agent.windows.get(0).isOpen()).isTrue();
        assertThat(here.tasks).isEmpty();

        agent.answer.complete(HolderProof.Kind.OFF);
        here.pass(Duration.ofMillis(10));

        assertThat(here.tasks).hasSize(1);
        LeaderRecord record = record();
        assertThat(record.holders().all()).extracting(Holder::term).containsExactly(2L);
        assertThat(record.history())
                .last()
                .extracting(PastTerm::stonith)
                .satisfies(proof -> assertThat(proof)
                        .get()
                        .extracting(HolderProof::kind, HolderProof::by)
                        .containsExactly(HolderProof.Kind.OFF, "b"));
    }

    @Test
    void anAgentThatFailsBeginsNothingAndIsSaid() {
        Candidacy standing = stands();
        agent.answer.completeExceptionally(new IllegalStateException("IPMI 10.0.0.7: no route"));

        here.pass(LEASES);

        assertThat(here.tasks).isEmpty();
        assertThat(record().holders().all()).extracting(Holder::term).contains(1L);
        assertThat(standing.health().trouble())
                .hasValueSatisfying(
                        why -> assertThat(why)
                                .contains("term 1 of a on n1")
                                .contains("IPMI 10.0.0.7: no route")
                                .contains(
                                        "turn node n1 off by hand, see that it is off, then confirm that by 'incumbent stonith confirm billing n1 --term 1 --why TEXT' or ElectionAdmin.confirmHolder"));
    }

    /** What an agent answers too late counts no more, and its window is closed. */
    @Test
    void anAgentThatDoesNotAnswerHasFailedWhenTheGuardOfThenEnds() {
        stands();
        untilItIsAsked();
        CompletableFuture<HolderProof.Kind> late = agent.answer;
        FenceAgent.Window first = agent.windows.get(0);
        agent.answer = new CompletableFuture<>();
        here.pass(OneProcess.TIMING.lease());
        late.complete(HolderProof.Kind.OFF);
        here.pass(Duration.ofMillis(10));

        assertThat(first.isOpen()).isFalse();
        assertThat(here.tasks).isEmpty();
        assertThat(record().holders().all()).extracting(Holder::term).contains(1L);
    }

    /** Whoever closes and then leaves, or closes the store, must not do so while an agent may turn somebody off. */
    @Test
    void closingWaitsUntilAnAgentThatWorksHasEnded() {
        stands();
        untilItIsAsked();
        Duration leaving = OneProcess.TIMING
                .stopLead()
                .plus(OneProcess.TIMING.requestTimeout().multipliedBy(4));

        CompletableFuture<Set<Term>> closed = second.runtime.closeAsync().toCompletableFuture();
        second.runtime.await(closed);
        here.pass(BOUND);

        assertThat(here.waits).last().satisfies(wait -> assertThat(wait).isGreaterThanOrEqualTo(leaving.plus(BOUND)));
        assertThat(closed).isNotDone();
        agent.answer.complete(HolderProof.Kind.OFF);
        here.pass(Duration.ofMillis(100));
        assertThat(closed).isCompletedWithValue(Set.of());
    }

    /** The thread that performs effects has stood still since the step: the guard holds no more for all of the agent's time. */
    @Test
    void anAgentIsNotAskedOnceTheGuardHoldsTooShort() {
        List<String> told = new ArrayList<>();
        Ports ports = ports();
        Holder holder = new Holder(1, second.runtime.candidate().id(), node("n1"));
        long until = ports.clock().nanos() + BOUND.toNanos() - 1;

        new HolderFencing(ports, holder, stonith("n2", agent), until).begin("b", event -> told.add(event.toString()));

        assertThat(agent.asked).isEmpty();
        assertThat(told)
                .singleElement()
                .asString()
                .contains("HolderUnfenced", "does not hold any more for the 3000 ms");
    }

    @Test
    void anAgentThatMayTakeLongerThanAGuardHoldsIsRefused() {
        Stonith slow = new Stonith(node("n2"), Duration.ofSeconds(7), agent);

        assertThatThrownBy(() -> second.election(ELECTION).withStonith(slow).campaign(leadership -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a fence agent has 7000 ms, but with a lease of 8000 ms the guard holds for 6934 ms after a"
                        + " renewal: make the lease longer, or the agent's time shorter");
    }

    @Test
    void aCandidacyWithoutATaskIsRefused() {
        assertThatThrownBy(() -> second.election(ELECTION)
                        .withStonith(stonith("n2", agent))
                        .campaign())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs a task");
    }

    @Test
    void whoHasNoAgentDoesNotStandThereAndSaysWhy() {
        Candidacy plain = second.election(ELECTION).campaign(leadership -> {});

        here.pass(LEASES);

        assertThat(here.tasks).isEmpty();
        assertThat(plain.health().trouble())
                .contains("does not stand: billing requires that former leaders are turned off, and this process has no"
                        + " fence agent there");
    }

    private void untilItIsAsked() {
        for (int i = 0; i < LEASES.toMillis() && agent.asked.isEmpty(); i++) {
            here.pass(Duration.ofMillis(1));
        }
        assertThat(agent.asked).hasSize(1);
    }

    private Candidacy stands() {
        return second.election(ELECTION).withStonith(stonith("n2", agent)).campaign(leadership -> {});
    }

    private Ports ports() {
        LeaseClock clock = new LeaseClock(here.time);
        return new Ports(
                MemoryCoordinator.connect(store, here.time, OneProcess.CALL),
                here,
                clock,
                Trace.NONE,
                new Teller(ElectionListener.NONE, here, clock, Trace.NONE),
                new Wakes(here.time),
                new Wakes(here.time),
                new Spread(false));
    }

    private LeaderRecord record() {
        return second.runtime.state(new ElectionName(ELECTION)).orElseThrow().record();
    }

    private static Stonith stonith(String node, FenceAgent agent) {
        return new Stonith(node(node), BOUND, agent);
    }

    private static NodeBoot node(String name) {
        return new NodeBoot(name, "boot-of-" + name, "p");
    }
}
