package dev.incumbent.internal;

import dev.incumbent.LeaderChange;
import dev.incumbent.LeaderListener;
import dev.incumbent.Observation;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells a listener who leads an election, by a watch of its record. Where the watch may have missed something, the record is read, again and again until it is
 * answered. A listener that blocks hears the latest afterwards, and the terms between from the record's history. Thread-safe.
 */
final class Observing implements Observation, Watcher {
    private final ElectionName election;
    private final LeaderListener listener;
    private final Ports ports;
    private final Duration retry;
    private final Serial userCode;
    private final Object lock = new Object();
    // Guarded by the lock.
    private Optional<Watch> watch = Optional.empty();
    private long changes;
    private boolean isReading;
    private boolean hasGap;
    private Optional<ObservedRecord> latest = Optional.empty();
    private volatile boolean isClosed;
    /** Written among the user code alone. */
    private volatile Optional<LeaderChange> last = Optional.empty();

    Observing(ElectionName election, LeaderListener listener, Ports ports, Duration retry) {
        this.election = election;
        this.listener = listener;
        this.ports = ports;
        this.retry = retry;
        this.userCode = new Serial(ports.platform().userCode(), ports.trace(), election.toString());
    }

    void begin() {
        try {
            Watch begun = ports.coordinator().watch(election, this);
            synchronized (lock) {
                watch = Optional.of(begun);
            }
            if (isClosed) {
                begun.close();
            }
        } catch (RuntimeException e) {
            again("watching " + election, e, this::begin);
        }
    }

    @Override
    public Optional<LeaderChange> last() {
        return last;
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
        Optional<Watch> begun;
        synchronized (lock) {
            begun = watch;
        }
        begun.ifPresent(Watch::close);
    }

    @Override
    public void changed(ObservedRecord record) {
        synchronized (lock) {
            changes++;
            take(record);
        }
    }

    /** One question at a time, however often the watch tells of a gap while nothing answers. */
    @Override
    public void gap() {
        synchronized (lock) {
            hasGap = true;
            if (isReading) {
                return;
            }
            isReading = true;
        }
        readAgain();
    }

    private void readAgain() {
        long before;
        synchronized (lock) {
            hasGap = false;
            before = changes;
        }
        Calls.of(() -> ports.coordinator().read(Set.of(election))).whenComplete((told, failure) -> {
            if (failure != null) {
                again("reading " + election, failure, this::readAgain);
            } else {
                read(told, before);
            }
        });
    }

    @Override
    public void currentAsOf(long sentAtNanos) {
        // What was told last is told already.
    }

    private void read(Map<ElectionName, Reading> told, long before) {
        Reading reading = told.getOrDefault(election, new Reading.Unread("it was left out of the answer"));
        if (reading instanceof Reading.Unread unread) {
            again("reading " + election, new IllegalStateException(unread.why()), this::readAgain);
        } else if (reading instanceof Reading.Foreign foreign) {
            again("reading " + election, new IllegalStateException(foreign.why()), this::readAgain);
        } else if (accept(reading instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT, before)) {
            readAgain();
        }
    }

    /** What the watch has told since the question is later than the answer. Says whether to ask once more: where there was a gap since. */
    private boolean accept(ObservedRecord record, long before) {
        synchronized (lock) {
            if (changes == before) {
                take(record);
            }
            isReading = hasGap;
            return hasGap;
        }
    }

    private void again(String what, Throwable failure, Runnable call) {
        if (!isClosed) {
            ports.trace().failed(what, failure);
            ports.timeline().at(ports.timeline().nanos() + retry.toNanos(), () -> {
                if (!isClosed) {
                    call.run();
                }
            });
        }
    }

    private void take(ObservedRecord record) {
        boolean isAwaited = latest.isPresent();
        latest = Optional.of(record);
        if (!isAwaited) {
            userCode.execute(this::tell);
        }
    }

    private void tell() {
        Optional<ObservedRecord> record;
        synchronized (lock) {
            record = latest;
            latest = Optional.empty();
        }
        record.ifPresent(now -> {
            LeaderChange present = LeaderChange.to(election, now);
            List<LeaderChange> news = last.map(before -> before.until(now)).orElse(List.of(present));
            news.forEach(change -> userCode.execute(() -> hear(change)));
            if (!news.isEmpty()) {
                last = Optional.of(present);
            }
        });
    }

    private void hear(LeaderChange change) {
        if (!isClosed) {
            listener.onChange(change);
        }
    }
}
