package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real elections over a coordinator in memory, one of whose candidates falls sick. Only the monitor's time is moved by the test. */
@Tag("realtime")
class GovernedElectionTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(15));
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Rhythm RHYTHM = Rhythm.every(Duration.ofSeconds(5)).after(2);

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final VirtualTimeline pulse = new VirtualTimeline();
    private final Elections a = elections("a");
    private final Elections b = elections("b");
    private volatile boolean isWell = true;

    private final HealthMonitor monitor = HealthMonitor.asking(
                    RHYTHM, HealthCheck.of("disk", () -> new Answer(isWell, isWell ? "has room" : "is full")))
            .quiet()
            .timeline(pulse)
            .start(name -> new HeldThread());

    private Elections elections(String name) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .quiet()
                .open();
    }

    @AfterEach
    void closeAll() {
        monitor.close();
        a.close();
        b.close();
        time.close();
    }

    private void fallsSick() {
        isWell = false;
        pulse.advance(Duration.ofSeconds(10));
    }

    private void recovers() {
        isWell = true;
        pulse.advance(Duration.ofSeconds(10));
    }

    @Test
    void aSickLeaderResignsStandsAsideAndStandsAgainOnceItIsWell() throws Exception {
        Candidacy sick = monitor.govern(a.election("job").campaign());
        Leadership first = sick.awaitLeadership(LONG).orElseThrow();
        Candidacy standby = b.election("job").campaign();
        await("b in line", () -> standby.health().enlisted());

        fallsSick();

        assertThat(first.ended().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(EndReason.UNHEALTHY);
        Leadership second = standby.awaitLeadership(LONG).orElseThrow();
        assertThat(second.token().value()).isEqualTo(2);
        assertThat(second.previousTerm().orElseThrow().reason()).isEqualTo(EndReason.UNHEALTHY);
        assertThat(sick.health().trouble()).hasValue("neither leads nor stands: disk is full");
        await("a aside", () -> !sick.health().enlisted());

        recovers();
        await("a in line", () -> sick.health().enlisted());
        standby.close();

        assertThat(sick.awaitLeadership(LONG).orElseThrow().token().value()).isEqualTo(3);
        assertThat(sick.health().trouble()).isEmpty();
    }

    @Test
    void aSickCandidateDoesNotStandAndLetsTheNextOneLead() throws Exception {
        isWell = false;
        pulse.advance(Duration.ofSeconds(10));
        Candidacy sick = monitor.govern(a.election("job").campaign());
        Candidacy well = b.election("job").campaign();

        Leadership leading = well.awaitLeadership(LONG).orElseThrow();

        assertThat(leading.term().leader().name()).isEqualTo("b");
        await("its trouble", () -> sick.health().trouble().isPresent());
        await("a aside", () -> !sick.health().enlisted());
        recovers();
        await("a in line", () -> sick.health().enlisted());
        assertThat(leading.holds()).as("a move only to the strictly better").isTrue();
    }

    /** The task is told to stop, and may still do what it must: nobody else leads before it has returned. */
    @Test
    void aSickLeadersTaskEndsBeforeAnotherLeads() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        LeaderTask task = leadership -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException told) {
                interrupted.countDown();
                mayReturn.await();
            }
        };
        Candidacy sick = monitor.govern(a.election("job").campaign(task));
        assertThat(sick.awaitLeadership(LONG)).isPresent();
        Candidacy standby = b.election("job").campaign();
        await("b in line", () -> standby.health().enlisted());

        fallsSick();

        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(standby.leadership()).isEmpty();
        mayReturn.countDown();
        assertThat(standby.awaitLeadership(LONG)).isPresent();
    }

    @Test
    void severalElectionsFollowOneMonitor() throws Exception {
        Candidacy one = monitor.govern(a.election("one").campaign());
        Candidacy two = monitor.govern(a.election("two").campaign());
        Leadership first = one.awaitLeadership(LONG).orElseThrow();
        Leadership second = two.awaitLeadership(LONG).orElseThrow();

        fallsSick();

        assertThat(first.ended().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(EndReason.UNHEALTHY);
        assertThat(second.ended().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(EndReason.UNHEALTHY);
    }

    private static void await(String what, BooleanSupplier come) {
        for (int i = 0; i < 6_000; i++) {
            if (come.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new AssertionError("not within a minute: " + what);
    }
}
