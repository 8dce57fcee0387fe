package dev.incumbent.internal;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Runs what an opening does next, on the loop's thread, as long as its candidacy stands.
 *
 * @param pause before it is tried again
 * @param stands asked on the loop's thread
 */
record WhileItStands(Strand loop, Timeline timeline, Duration pause, BooleanSupplier stands) implements Opening.Later {
    @Override
    public void soon(Runnable task) {
        loop.execute(() -> {
            if (stands.getAsBoolean()) {
                task.run();
            }
        });
    }

    @Override
    public void aWhile(Runnable task) {
        timeline.at(timeline.nanos() + pause.toNanos(), () -> soon(task));
    }
}
