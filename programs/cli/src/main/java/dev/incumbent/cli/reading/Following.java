package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One election's record as it changes, handed from the coordinator's threads to the one thread that asks.
 *
 * <p>Where something may have been missed it reads again, and again each second while the coordinator does not answer.
 */
final class Following implements AutoCloseable {
    private static final int MOST_WAITING = 256;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Surroundings around;
    private final Enquiry enquiry;
    private final ElectionName election;
    private final BlockingQueue<News> news = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Watch watch;

    /** Begins to follow; refused where the record cannot be read at all. */
    Following(Surroundings around, Coordinator coordinator, ElectionName election) {
        this.around = around;
        this.enquiry = new Enquiry(coordinator);
        this.election = election;
        news.add(new Changed(enquiry.record(election)));
        this.watch = coordinator.watch(election, new Listener());
    }

    /** Waits for the next record, the present one at first; the same may come twice. Empty once {@link #endAt} has passed. */
    Optional<ObservedRecord> next() {
        while (true) {
            News one = take();
            if (one instanceof Changed changed) {
                return Optional.of(changed.record());
            }
            if (one instanceof Ended) {
                return Optional.empty();
            }
            Optional<ObservedRecord> again = readAgain();
            if (again.isPresent()) {
                return again;
            }
        }
    }

    /** Makes {@link #next} end at an instant of the timeline. */
    Timeline.Alarm endAt(long nanos) {
        return around.timeline().at(nanos, () -> {
            news.clear();
            news.offer(new Ended());
        });
    }

    @Override
    public void close() {
        watch.close();
    }

    private Optional<ObservedRecord> readAgain() {
        try {
            return Optional.of(enquiry.record(election));
        } catch (CoordinatorException | Refusal unreadable) {
            around.say(unreadable.getMessage() + "; trying again");
            Timeline timeline = around.timeline();
            timeline.at(timeline.nanos() + RETRY.toNanos(), () -> offer(new Missed()));
            return Optional.empty();
        }
    }

    private News take() {
        try {
            return news.take();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.notSo("interrupted");
        }
    }

    /** What finds no room is replaced by one reading of how things stand. */
    private void offer(News one) {
        while (!news.offer(one)) {
            news.clear();
            one = new Missed();
        }
    }

    private sealed interface News {}

    private record Changed(ObservedRecord record) implements News {}

    private record Missed() implements News {}

    private record Ended() implements News {}

    private final class Listener implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            offer(new Changed(record));
        }

        @Override
        public void gap() {
            offer(new Missed());
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
