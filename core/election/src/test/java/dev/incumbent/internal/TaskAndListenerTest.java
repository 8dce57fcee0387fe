package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.EndReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A candidacy with a task, and a listener beside it. */
class TaskAndListenerTest implements TermListener {
    private static final Duration LEASE = OneProcess.TIMING.lease();
    private static final LeaderTask TASK = leadership -> {};

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<String> failures = new ArrayList<>();
    private final Trace trace = new Trace() {
        @Override
        public void failed(String what, Throwable failure) {
            failures.add(what + ": " + failure.getMessage());
        }
    };
    private final OneProcess a = new OneProcess(platform, store, "a", trace);
    private final List<String> told = new ArrayList<>();
    private boolean isBroken;

    @Override
    public void onGranted(Leadership leadership) {
        told.add("granted " + leadership.term().number());
        if (isBroken) {
            throw new IllegalStateException("the listener broke");
        }
    }

    @Override
    public void onRevoked(Leadership leadership, EndReason reason) {
        told.add("revoked " + leadership.term().number() + " " + reason);
    }

    @Test
    void theEndIsToldOnceTheGuardSaysNoWhileTheTaskMayStillBeReturning() {
        Candidacy candidacy = a.election("job").campaign(TASK, this);
        Leadership leadership = a.led();
        assertThat(told).containsExactly("granted 1");

        candidacy.resign();
        platform.run();
        assertThat(platform.task().interrupts).isEqualTo(1);
        assertThat(leadership.holds()).isFalse();
        assertThat(told).containsExactly("granted 1", "revoked 1 RESIGNED");
        platform.pass(Duration.ofMillis(50));
        assertThat(told).as("no term begins while the task runs").hasSize(2);
        platform.task().returns();
        platform.pass(LEASE);

        assertThat(told).containsExactly("granted 1", "revoked 1 RESIGNED", "granted 2");
    }

    @Test
    void aTaskThatReturnsEndsTheTermForBoth() {
        a.election("job").campaign(TASK, this);
        a.led();

        platform.task().returns();
        platform.pass(LEASE.multipliedBy(2));

        assertThat(told).startsWith("granted 1", "revoked 1 RESIGNED", "granted 2");
        assertThat(platform.tasks).hasSize(2);
    }

    @Test
    void aTaskWhoseTermIsOverIsToldToStopNoMore() {
        Candidacy candidacy = a.election("job").campaign(TASK, this);
        a.led();
        candidacy.closeAsync();
        platform.run();
        assertThat(platform.task().interrupts).isEqualTo(1);
        platform.task().returns();
        platform.pass(LEASE.multipliedBy(3));

        assertThat(told).containsExactly("granted 1", "revoked 1 CLOSED");
        assertThat(platform.task().interrupts).isEqualTo(1);
    }

    @Test
    void aListenerThatThrowsIsToldAndTheTaskGoesOn() {
        isBroken = true;
        Candidacy candidacy = a.election("job").campaign(TASK, this);
        Leadership leadership = a.led();
        platform.pass(LEASE.multipliedBy(2));

        assertThat(leadership.holds()).isTrue();
        assertThat(platform.task().interrupts).isZero();
        assertThat(platform.tasks).hasSize(1);
        assertThat(candidacy.health().trouble())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("the listener of term 1 of job")
                        .contains("the listener broke"));
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .startsWith("the listener of term 1 of job")
                        .contains("the listener broke"));
        assertThat(candidacy.leadership()).containsSame(leadership);
    }

    @Test
    void theTaskIsStoppedWhenItsTermIsNotRenewed() {
        a.election("job").campaign(TASK, this);
        a.led();
        platform.pass(LEASE);
        assertThat(platform.task().interrupts).as("each renewal moves the end").isZero();

        platform.time.advance(LEASE);

        assertThat(platform.task().interrupts)
                .as("by an alarm, while the driver's thread does nothing")
                .isPositive();
    }
}
