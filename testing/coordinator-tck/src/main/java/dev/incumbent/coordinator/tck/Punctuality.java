package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/**
 * Waits with a bound that is judged fairly. The thread that waits is the witness: it sleeps for 5 ms at a time, and by how much it wakes late the machine stood still. What comes late by less than
 * that is neither in time nor late: the test is aborted, and {@code scripts/tally-tests} counts it as unjudged. In virtual time no sleep is late.
 */
public final class Punctuality {
    private static final Duration STEP = Duration.ofMillis(5);

    /** A sleep is never quite punctual. */
    private static final Duration USUAL_DELAY = Duration.ofMillis(1);

    private final LongSupplier nanos;
    private final Consumer<Duration> sleep;
    private final Duration slack;
    private Duration stoodStill = Duration.ZERO;

    /** Of one wait over that rig. */
    public Punctuality(CoordinatorRig rig) {
        this(rig.timeline()::nanos, rig::passTime, rig.slack());
    }

    Punctuality(LongSupplier nanos, Consumer<Duration> sleep, Duration slack) {
        this.nanos = nanos;
        this.sleep = sleep;
        this.slack = slack;
    }

    /** Lets time pass until something holds, for at most that long and the rig's slack. */
    public void within(Duration bound, Supplier<String> what, BooleanSupplier holds) {
        Duration atMost = bound.plus(slack);
        long start = nanos.getAsLong();
        Duration passed = Duration.ZERO;
        while (!holds.getAsBoolean()) {
            passed = since(start);
            if (passed.compareTo(atMost.plus(stoodStill)) > 0) {
                assertThat(passed).as(what.get() + " came within").isLessThanOrEqualTo(atMost);
            }
            sleep();
        }
        if (passed.compareTo(atMost) > 0) {
            throw new TestAbortedException("machine too slow to judge: " + what.get() + " came after " + passed
                    + " instead of " + atMost + ", and the machine stood still for " + stoodStill + " of that");
        }
    }

    private void sleep() {
        long before = nanos.getAsLong();
        sleep.accept(STEP);
        Duration late = since(before).minus(STEP).minus(USUAL_DELAY);
        if (!late.isNegative()) {
            stoodStill = stoodStill.plus(late);
        }
    }

    private Duration since(long start) {
        return Duration.ofNanos(nanos.getAsLong() - start);
    }
}
