package dev.incumbent.agent.elections;

import dev.incumbent.protocol.Moment;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** The one thread that owns the state of all owners, and its clock. What is handed to it after the end is dropped. Thread-safe. */
final class Strand implements AutoCloseable {
    private final Timeline timeline;
    private final Executor thread;
    private final Runnable end;

    /** A thread of its own, and the system's clocks. */
    Strand() {
        SystemTimeline clocks = new SystemTimeline("incumbent-agent-alarms");
        ExecutorService one = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, "incumbent-agent");
            made.setDaemon(true);
            return made;
        });
        this.timeline = clocks;
        this.thread = one;
        this.end = () -> {
            one.shutdown();
            clocks.close();
        };
    }

    /** The thread that moves that time. */
    Strand(Timeline timeline) {
        this.timeline = timeline;
        this.thread = Runnable::run;
        this.end = () -> {};
    }

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
        end.run();
    }
}
