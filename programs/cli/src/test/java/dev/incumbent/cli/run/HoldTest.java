package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long a term goes on after its command, in virtual time. */
final class HoldTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final long begun = timeline.nanos();
    private final CompletableFuture<Boolean> told = new CompletableFuture<>();

    @Test
    void itCountsFromTheBeginningOfTheTermAndNotFromTheEndOfTheCommand() {
        timeline.advance(Duration.ofSeconds(20));

        assertThat(new Hold(timeline, begun, MINUTE).left()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void aCommandThatTookLongerLeavesNothing() {
        timeline.advance(MINUTE);

        assertThat(new Hold(timeline, begun, MINUTE).left()).isZero();
        assertThat(new Hold(timeline, begun, Duration.ZERO).left()).isNegative();
    }

    @Test
    void itLastsUntilItsTime() throws Exception {
        timeline.advance(Duration.ofSeconds(20));
        waiting();

        timeline.advance(Duration.ofSeconds(40));

        assertThat(told.get(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Were it over, the interrupt would come too late. */
    @Test
    void itDoesNotEndBeforeItsTime() throws Exception {
        timeline.advance(Duration.ofSeconds(20));
        Thread task = waiting();

        timeline.advance(Duration.ofSeconds(40).minusNanos(1));
        task.interrupt();

        assertThat(told.get(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void theEndOfTheLeadershipEndsIt() throws Exception {
        waiting().interrupt();

        assertThat(told.get(20, TimeUnit.SECONDS)).isFalse();
    }

    /** A thread that waits, as a task's does. */
    private Thread waiting() {
        Hold hold = new Hold(timeline, begun, MINUTE);
        Thread task = new Thread(() -> told.complete(hold.await()));
        task.start();
        RunProcess.await("a task that waits", () -> task.getState() == Thread.State.WAITING);
        return task;
    }
}
