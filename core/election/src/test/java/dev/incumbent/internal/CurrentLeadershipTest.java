package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.ElectionListener;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Setup;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The guard of one term and the stop timer of its task, without a step of their driver. */
class CurrentLeadershipTest {
    private static final Duration STOP = Duration.ofSeconds(5);
    private static final Candidate ME = new Candidate(new CandidateId("a"), "a", "");
    private static final ElectionName JOB = new ElectionName("job");

    private final OneThread platform = new OneThread();
    private final OneProcess process = new OneProcess(platform, new MemoryStore(platform.time), "a", Trace.NONE);
    private final LeaseClock clock = new LeaseClock(platform.time);
    private final Ports ports = ports();
    private final CurrentLeadership leadership =
            new CurrentLeadership(new Term(JOB, 1, ME), Optional.empty(), clock, driver());

    @Test
    void aTermThatWasNeverValidIsNotSaidToHaveBeen() {
        assertThatThrownBy(leadership::check)
                .isInstanceOf(LeadershipLostException.class)
                .hasMessageEndingWith("is over: it is not valid any more");
    }

    @Test
    void aTaskWhoseTimerRingsEarlyIsToldToStopAtTheRightTime() {
        TaskRun run = new TaskRun(led -> {}, leadership, driver(), ports);
        run.start();
        long now = clock.nanos();
        leadership.extend(now, now + STOP.toNanos(), now + STOP.multipliedBy(2).toNanos(), new Shared());
        run.validityExtended();
        ports.stops().advance(STOP.dividedBy(2).toNanos());

        platform.time.advance(STOP.minusNanos(1));
        assertThat(platform.task().interrupts).isZero();
        platform.time.advance(Duration.ofNanos(1));

        assertThat(platform.task().interrupts).isEqualTo(1);
    }

    private Ports ports() {
        Teller teller = new Teller(ElectionListener.NONE, platform, clock, Trace.NONE);
        return new Ports(
                MemoryCoordinator.connect(new MemoryStore(platform.time), platform.time, OneProcess.CALL),
                platform,
                clock,
                Trace.NONE,
                teller,
                new Wakes(platform.time),
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
