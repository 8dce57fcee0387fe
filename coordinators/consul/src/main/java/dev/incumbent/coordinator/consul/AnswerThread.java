package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulClient;
import dev.incumbent.time.Timeline;
import java.time.Duration;

/** The one thread on which answers arrive, and the clock of what runs there later. */
record AnswerThread(ConsulClient consul, Timeline timeline, Duration requestTimeout) {
    void execute(Runnable task) {
        consul.execute(task);
    }

    void after(Duration delay, Runnable task) {
        timeline.at(timeline.nanos() + delay.toNanos(), () -> consul.execute(task));
    }

    /** By when a question that is asked now is answered. */
    long deadlineNanos() {
        return timeline.nanos() + requestTimeout.toNanos();
    }
}
