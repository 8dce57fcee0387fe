package dev.incumbent.internal;

import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The alarms of many sleepers, of which the timeline is given one at a time, the earliest: so each of ten thousand costs a place in a heap. Thread-safe.
 *
 * <p>An alarm that was put off is not taken back: it rings, finds nobody to wake, and is set anew.
 */
final class Wakes {
    private final Timeline timeline;
    private final List<Wake> heap = new ArrayList<>();
    private Optional<Timeline.Alarm> alarm = Optional.empty();
    private long alarmAtNanos;

    Wakes(Timeline timeline) {
        this.timeline = timeline;
    }

    /** One sleeper's alarm, not set yet. Whoever is woken must return at once, as with {@link Timeline#at}. */
    Wake of(Runnable sleeper) {
        return new Wake(this, sleeper);
    }

    /** One alarm, which may be set again and again; set anew, it forgets when it was set to. */
    static final class Wake {
        private static final int UNSET = -1;

        private final Wakes all;
        private final Runnable sleeper;
        private long atNanos;
        private int place = UNSET;

        private Wake(Wakes all, Runnable sleeper) {
            this.all = all;
            this.sleeper = sleeper;
        }

        /** Wakes it once that time has come on the timeline's clock; at once if it has passed. */
        void at(long nanos) {
            all.set(this, nanos);
        }

        void never() {
            all.unset(this);
        }

        private boolean isBefore(Wake other) {
            return atNanos - other.atNanos < 0;
        }
    }

    private synchronized void set(Wake wake, long nanos) {
        if (wake.place == Wake.UNSET) {
            wake.place = heap.size();
            heap.add(wake);
        } else if (wake.atNanos == nanos) {
            return;
        }
        wake.atNanos = nanos;
        settle(wake);
        ring();
    }

    private synchronized void unset(Wake wake) {
        if (wake.place != Wake.UNSET) {
            remove(wake);
        }
    }

    /** The timeline's clock has stood still for so long: whoever sleeps is due earlier by that. */
    synchronized void advance(long nanos) {
        heap.forEach(wake -> wake.atNanos -= nanos);
        ring();
    }

    private void remove(Wake wake) {
        Wake last = heap.remove(heap.size() - 1);
        if (last != wake) {
            put(last, wake.place);
            settle(last);
        }
        wake.place = Wake.UNSET;
    }

    /** Sets the timeline's alarm to the earliest, where it would ring too late. */
    private void ring() {
        if (heap.isEmpty() || (alarm.isPresent() && alarmAtNanos - heap.get(0).atNanos <= 0)) {
            return;
        }
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarmAtNanos = heap.get(0).atNanos;
        alarm = Optional.of(timeline.at(alarmAtNanos, this::rung));
    }

    private void rung() {
        for (Runnable sleeper : due()) {
            try {
                sleeper.run();
            } catch (RuntimeException | Error e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }

    private synchronized List<Runnable> due() {
        List<Runnable> due = new ArrayList<>();
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarm = Optional.empty();
        long now = timeline.nanos();
        while (!heap.isEmpty() && heap.get(0).atNanos - now <= 0) {
            Wake first = heap.get(0);
            remove(first);
            due.add(first.sleeper);
        }
        ring();
        return due;
    }

    /** Moves it up or down to where it belongs. */
    private void settle(Wake wake) {
        while (wake.place > 0 && wake.isBefore(heap.get((wake.place - 1) / 2))) {
            swap(wake, heap.get((wake.place - 1) / 2));
        }
        for (Wake child = earlierChild(wake); child.isBefore(wake); child = earlierChild(wake)) {
            swap(wake, child);
        }
    }

    /** Itself where it has none. */
    private Wake earlierChild(Wake wake) {
        int left = 2 * wake.place + 1;
        if (left >= heap.size()) {
            return wake;
        }
        boolean hasRight = left + 1 < heap.size();
        return hasRight && heap.get(left + 1).isBefore(heap.get(left)) ? heap.get(left + 1) : heap.get(left);
    }

    private void swap(Wake one, Wake other) {
        int place = one.place;
        put(one, other.place);
        put(other, place);
    }

    private void put(Wake wake, int place) {
        heap.set(place, wake);
        wake.place = place;
    }
}
