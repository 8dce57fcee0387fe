package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a process does once its clocks have jumped, and as soon as nothing keeps it. */
class WatchedClocksTest {
    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final OneProcess a = new OneProcess(platform, store, "a", Trace.NONE);

    /** Its alarm would ring a suspend too late. */
    @Test
    void aSuspendIsFollowedByAKeepAliveWithinARequestTimeout() {
        a.election("job").campaign(leadership -> {});
        Leadership led = a.led();
        long before = a.callsOf("keepAlive");

        platform.time.suspend(OneProcess.TIMING.renewEvery());
        platform.pass(OneProcess.CALL.plusMillis(2));

        assertThat(a.callsOf("keepAlive")).isEqualTo(before + 1);
        assertThat(led.holds()).isTrue();
    }

    /** By the clock of leases, although its alarm was set before either suspend, and although the driver's own thread gets no processor any more. */
    @Test
    void aTaskIsToldToStopInTimeAlsoAfterTwoSuspends() {
        a.election("job").campaign(leadership -> {});
        Leadership led = a.led();
        Duration stop = led.remaining().minus(OneProcess.TIMING.stopLead());
        Duration slept = Duration.ofMillis(500);
        Duration noticed = OneProcess.CALL.plusMillis(2);

        for (int i = 0; i < 2; i++) {
            platform.time.suspend(slept);
            platform.time.advance(noticed);
        }
        platform.time.advance(stop.minus(slept.plus(noticed).multipliedBy(2)).minusMillis(5));
        assertThat(platform.task().interrupts).isZero();
        platform.time.advance(Duration.ofMillis(10));

        assertThat(platform.task().interrupts).isPositive();
    }

    /** Or else a request would be taken for later than it was sent. */
    @Test
    void aStepOfTheSessionNoticesASuspendBehindAWallClockThatWasSetBack() {
        a.election("job").campaign(leadership -> {});
        Leadership led = a.led();
        Duration slept = Duration.ofMillis(500);
        Duration before = led.remaining();

        platform.time.suspend(slept);
        platform.time.stepWall(slept.negated());
        a.election("other").campaign(leadership -> {});
        platform.run();

        assertThat(led.remaining()).isEqualTo(before.minus(slept));
    }

    /** Each reading compares the wall clock alone, which agrees. */
    @Test
    void aSuspendBehindAWallClockThatWasSetBackIsNoticedByTheBootTimeClock() {
        a.election("job").campaign(leadership -> {});
        Leadership led = a.led();
        Duration slept = Duration.ofMillis(500);
        Duration before = led.remaining();

        platform.time.suspend(slept);
        platform.time.stepWall(slept.negated());
        assertThat(led.remaining()).as("nobody can tell yet").isEqualTo(before);
        platform.time.advance(OneProcess.CALL.plusMillis(2));

        assertThat(led.remaining())
                .isLessThanOrEqualTo(before.minus(slept).minus(OneProcess.CALL).plusMillis(10));
    }

    @Test
    void aMachineIsWokenByTheClockOfLeasesAlsoAfterTwoSuspends() {
        Duration sleep = OneProcess.CALL.multipliedBy(20);
        Duration slept = OneProcess.CALL.multipliedBy(3);
        List<Long> woken = new ArrayList<>();
        platform.machines = new Machines() {
            @Override
            public OfElection election(Setup setup) {
                long first = platform.time.nanos();
                return (state, event, now) -> {
                    if (event instanceof Event.Woken) {
                        woken.add(platform.time.nanos() - first);
                    }
                    return new Step<>(state, List.of(), woken.isEmpty() ? first + sleep.toNanos() : Step.NEVER);
                };
            }
        };
        OneProcess c = new OneProcess(platform, new MemoryStore(platform.time), "c", Trace.NONE);
        c.answers.put("grant", OneProcess.UNANSWERED);
        c.watch = Optional.of(() -> {});
        c.election("job").campaign(leadership -> {});
        platform.pass(OneProcess.CALL);

        for (int i = 0; i < 2; i++) {
            platform.time.suspend(slept);
            platform.pass(OneProcess.CALL.multipliedBy(2));
        }
        platform.pass(sleep);

        assertThat(woken).hasSize(1);
        assertThat(Duration.ofNanos(woken.get(0)))
                .isBetween(
                        sleep.minus(slept.multipliedBy(2)),
                        sleep.minus(slept.multipliedBy(2)).plusMillis(2));
    }

    @Test
    void theClocksAreComparedNoMoreOnceAllHasEnded() {
        platform.pass(OneProcess.CALL.multipliedBy(3).plusMillis(2));
        assertThat(platform.goesOnComparing).containsExactly(true, true, true);

        a.runtime.closeAsync();
        platform.pass(OneProcess.CALL.multipliedBy(5));

        assertThat(platform.goesOnComparing).containsExactly(true, true, true, false);
    }

    @Test
    void whoLeadsNothingIsGoneAtOnceWhenAllIsClosed() {
        CompletionStage<?> closed = a.runtime.closeAsync();
        platform.run();

        assertThat(closed.toCompletableFuture()).isCompleted();
        assertThat(platform.closed).isEqualTo(1);
    }
}
