package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the last resort is taken: by a task that does not return, and by no other. */
class LastResortTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration BUDGET = OneProcess.TIMING.stopBudget();
    private static final Duration KILL_RESERVE = OneProcess.TIMING.killReserve();
    private static final Duration A_TICK = Duration.ofMillis(1);

    private final OneThread platform = new OneThread();
    private final OneProcess a = new OneProcess(platform, new MemoryStore(platform.time), "a", Trace.NONE);
    private final List<Term> taken = new ArrayList<>();

    private Candidacy leader() {
        platform.taskRules = TaskRules.DEFAULT.with(taken::add);
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        return candidacy;
    }

    @Test
    void itIsTakenOnceTheStopBudgetHasPassed() {
        Candidacy candidacy = leader();
        Term term = platform.task().leadership.term();

        candidacy.resign();
        platform.pass(BUDGET.minus(A_TICK));
        assertThat(taken).as("it may still return").isEmpty();
        platform.pass(A_TICK.multipliedBy(2));

        assertThat(taken).containsExactly(term);
    }

    @Test
    void itIsTakenOnceATerm() {
        Candidacy candidacy = leader();
        candidacy.resign();
        platform.pass(BUDGET);
        candidacy.closeAsync();

        platform.pass(OneProcess.TIMING.lease().multipliedBy(3));

        assertThat(platform.task().interrupts).as("told to stop").isPositive();
        assertThat(taken).hasSize(1);
    }

    @Test
    void aTaskThatReturnsInTimeIsNoReasonForIt() {
        leader().resign();
        platform.pass(BUDGET.minus(A_TICK));

        platform.task().returns();
        platform.pass(OneProcess.TIMING.lease());

        assertThat(taken).isEmpty();
    }

    @Test
    void aTaskThatIsNotToldToStopMayTakeAsLongAsItLikes() {
        leader();

        platform.pass(OneProcess.TIMING.lease().multipliedBy(5));

        assertThat(platform.task().leadership.holds()).isTrue();
        assertThat(taken).isEmpty();
    }

    @Test
    void whereTheLeaseIsNotRenewedItIsTakenAKillReserveBeforeTheTermIsNotValidAnyMore() {
        leader();
        var leadership = platform.task().leadership;
        a.answers.put("keepAlive", OneProcess.UNANSWERED);

        Duration left = leadership.remaining().minus(KILL_RESERVE);

        platform.pass(left.minus(A_TICK));
        assertThat(platform.task().interrupts).as("told to stop").isPositive();
        assertThat(taken).as("it may still return").isEmpty();
        platform.pass(A_TICK.multipliedBy(2));

        assertThat(taken).hasSize(1);
    }

    @Test
    void afterAPauseThatOutlastedTheTermItIsTakenAtOnce() {
        leader();

        platform.time.pause(OneProcess.TIMING.lease());
        platform.run();

        assertThat(taken).hasSize(1);
    }

    @Test
    void aPauseBeforeItIsToldToStopTakesFromItsBudget() {
        leader();
        a.answers.put("keepAlive", OneProcess.UNANSWERED);
        var leadership = platform.task().leadership;
        Duration most = leadership.remaining().minus(KILL_RESERVE).minus(A_TICK.multipliedBy(2));

        platform.time.pause(most);
        platform.run();
        assertThat(platform.task().interrupts).as("told to stop").isPositive();
        assertThat(taken).isEmpty();
        platform.pass(A_TICK.multipliedBy(2));

        assertThat(taken).hasSize(1);
    }

    @Test
    void afterASuspendItIsTakenAsSoonAsThatIsNoticed() {
        leader();

        platform.time.suspend(OneProcess.TIMING.lease());
        platform.pass(OneProcess.TIMING.requestTimeout());

        assertThat(taken).hasSize(1);
    }

    @Test
    void withoutOneSuchATaskGoesOn() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        candidacy.resign();
        platform.pass(OneProcess.TIMING.stopLead().plus(A_TICK));

        assertThat(candidacy.health().stalled()).isTrue();
        assertThat(taken).isEmpty();
    }
}
