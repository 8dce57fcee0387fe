package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Setup;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The timer of the last resort, without a step of its driver. What wakes the machines stands still. */
class StallTimerTest {
    private static final Duration BUDGET = Duration.ofSeconds(5);
    private static final Candidate ME = new Candidate(new CandidateId("a"), "a", "");
    private static final ElectionName JOB = new ElectionName("job");

    private final OneThread platform = new OneThread();
    private final OneProcess process = new OneProcess(platform, new MemoryStore(platform.time), "a", Trace.NONE);
    private final LeaseClock clock = new LeaseClock(platform.time);
    private final Ports ports = ports();
    private final CurrentLeadership leadership =
            new CurrentLeadership(new Term(JOB, 1, ME), Optional.empty(), clock, driver());
    private final List<Term> taken = new ArrayList<>();
    private final StallTimer timer = new StallTimer(leadership, taken::add, BUDGET, ports);

    @Test
    void whereItRingsEarlyNothingIsTakenUntilItIsDue() {
        long now = clock.nanos();
        leadership.extend(
                now, now + BUDGET.toNanos(), now + BUDGET.multipliedBy(2).toNanos(), new Shared());
        timer.toldToStop();
        ports.stops().advance(BUDGET.dividedBy(2).toNanos());

        platform.time.advance(BUDGET.minusNanos(1));
        assertThat(taken).isEmpty();
        platform.time.advance(Duration.ofNanos(1));

        assertThat(taken).containsExactly(leadership.term());
    }

    @Test
    void aTaskThatIsToldToStopBeforeItsTermWasValidHasItsWholeBudget() {
        timer.toldToStop();

        platform.time.advance(BUDGET.minusNanos(1));
        assertThat(taken).isEmpty();
        platform.time.advance(Duration.ofNanos(1));

        assertThat(taken).hasSize(1);
    }

    @Test
    void whoIsToldAgainHasNoMoreTime() {
        timer.toldToStop();
        platform.time.advance(BUDGET.dividedBy(2));
        timer.toldToStop();
        platform.time.advance(BUDGET.dividedBy(2));

        assertThat(taken).hasSize(1);
    }

    private Ports ports() {
        return new Ports(
                MemoryCoordinator.connect(new MemoryStore(platform.time), platform.time, OneProcess.CALL),
                platform,
                clock,
                Trace.NONE,
                new Teller(ElectionListener.NONE, platform, clock, Trace.NONE),
                new Wakes(new VirtualTimeline()),
                new Wakes(platform.stops()),
                new Spread(false));
    }

    private ElectionDriver driver() {
        Serial userCode = new Serial(platform.userCode(), Trace.NONE, "job");
        CurrentCandidacy candidacy = new CurrentCandidacy(process.runtime, JOB, userCode, ports.teller());
        Setup setup = Setup.of(JOB, ME, OneProcess.TIMING, Map.of());
        CampaignPlan stand = new CampaignPlan(setup, Map.of(), Optional.empty(), (led, driver) -> TermRun.ASKED);
        return new ElectionDriver(stand, process.runtime, ports, candidacy);
    }
}
