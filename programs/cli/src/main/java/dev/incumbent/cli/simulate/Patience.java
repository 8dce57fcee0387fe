package dev.incumbent.cli.simulate;

import dev.incumbent.cli.frame.Surroundings;
import java.time.Duration;
import java.util.Optional;

/** How long work may go on, and the sentence on standard error by which it shows now and then that it does. */
final class Patience {
    private static final long TELL_EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final Surroundings around;
    private final Optional<Duration> limit;
    private final String what;
    private final long began;
    private long toldAt;

    Patience(Surroundings around, Optional<Duration> limit, String what) {
        this.around = around;
        this.limit = limit;
        this.what = what;
        this.began = around.timeline().nanos();
        this.toldAt = began;
    }

    /** Is there no time for more? Asked by any thread. */
    boolean isOver() {
        long passed = around.timeline().nanos() - began;
        return limit.filter(most -> passed >= most.toNanos()).isPresent();
    }

    /** So many are done. */
    synchronized void told(long done) {
        long now = around.timeline().nanos();
        if (now - toldAt >= TELL_EVERY_NANOS) {
            toldAt = now;
            around.say(done + " " + what + " after " + (now - began) / 1_000_000_000L + " s");
        }
    }
}
