package dev.incumbent.agent.elections;

import dev.incumbent.protocol.Moment;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** The one thread that owns the state of all owners, and its clock. What is handed to it after the end is dropped. Thread-safe. */
final class Strand implements AutoCloseable {
    private final SystemTimeline timeline = new SystemTimeline("incumbent-agent-alarms");
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread one = new Thread(work, "incumbent-agent");
        one.setDaemon(true);
        return one;
    });

    void execute(Runnable work) {
        try {
            thread.execute(work);
        } catch (RejectedExecutionException ended) {
            // Nobody is there any more whom it concerns.
        }
    }

    Timeline.Alarm at(long nanos, Runnable work) {
        return timeline.at(nanos, () -> execute(work));
    }

    /** Its clock and alarms, for others. */
    Timeline timeline() {
        return timeline;
    }

    long nanos() {
        return timeline.nanos();
    }

    Moment now() {
        return new Moment(timeline.nanos(), timeline.wallMillis());
    }

    @Override
    public void close() {
        thread.shutdown();
        timeline.close();
    }
}
