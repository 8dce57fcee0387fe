package dev.incumbent.cli.run;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The rest of a term whose command has ended: until then no other host leads, whose clock is behind and which would run the command again. */
final class Hold {
    private final Timeline timeline;
    private final long untilNanos;

    /** Of a term that began then, and lasts at least so long. */
    Hold(Timeline timeline, long begunNanos, Duration atLeast) {
        this.timeline = timeline;
        this.untilNanos = begunNanos + atLeast.toNanos();
    }

    /** How much of it is left; zero or less once it is over. */
    Duration left() {
        return Duration.ofNanos(untilNanos - timeline.nanos());
    }

    /** Waits until it is over; false if this thread was interrupted before, since the leadership has ended. */
    boolean await() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        Timeline.Alarm alarm = timeline.at(untilNanos, () -> over.complete(null));
        try {
            over.get();
            return true;
        } catch (InterruptedException leadershipIsOver) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            alarm.cancel();
        }
    }
}
