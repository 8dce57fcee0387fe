package dev.incumbent.quorum;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The connections that are open at one port. Where one comes too many, another is closed: the oldest stranger's, so that whoever opens many and asks nothing keeps nobody out; else one that is idle;
 * else the new one. What a stranger's connection costs does not grow with how many are open. Thread-safe.
 */
final class Visitors {
    private static final int IPV6_NETWORK_BYTES = 8;

    private final Bounds.Crowd crowd;
    private final long mostBytesToRead;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Visitor> all = new LinkedHashSet<>();
    private final Map<String, Place> places = new HashMap<>();
    private int strangers;
    private long bytesToRead;
    private long events;

    /** Takes so many, and lets so many bytes of answers wait to be read. */
    Visitors(Bounds.Crowd crowd, long mostBytesToRead) {
        this.crowd = crowd;
        this.mostBytesToRead = mostBytesToRead;
    }

    private enum State {
        STRANGER,
        BUSY,
        IDLE,
        READING
    }

    /** Who is here from one remote address; strangers in the order of their coming. */
    private static final class Place {
        private final Set<Visitor> strangers = new LinkedHashSet<>();
        private int visitors;
    }

    /** One connection. */
    final class Visitor {
        private final String place;
        private final Runnable closes;
        private final long number;
        private State state = State.STRANGER;
        private boolean known;
        private long since;
        private long bytes;

        private Visitor(String place, long number, Runnable closes) {
            this.place = place;
            this.number = number;
            this.closes = closes;
        }

        /** A request of it was admitted: it is no stranger's any more. */
        void isAdmitted() {
            locked(() -> {
                forgetStranger(this);
                known = true;
            });
            becomes(State.BUSY, 0);
        }

        /** An answer of so many bytes waits for it; those that wait longest for others are given up where that is too much. */
        void reads(long length) {
            becomes(State.READING, length);
            close(slowestReaders(this));
        }

        /** It took its answer. */
        void isIdle() {
            becomes(known ? State.IDLE : State.STRANGER, 0);
        }

        /** False once it had to make room. */
        boolean isIn() {
            lock.lock();
            try {
                return all.contains(this);
            } finally {
                lock.unlock();
            }
        }

        void leaves() {
            locked(() -> remove(this));
        }

        private void becomes(State next, long length) {
            locked(() -> {
                if (all.contains(this)) {
                    bytesToRead += length - bytes;
                    bytes = length;
                }
                state = next;
                since = ++events;
            });
        }
    }

    /** A connection was opened from there; {@code closes} is called, by any thread, where it must make room. */
    Visitor arrives(InetAddress from, Runnable closes) {
        String there = placeOf(from);
        Visitor newest;
        Optional<Visitor> leaving;
        lock.lock();
        try {
            newest = new Visitor(there, ++events, closes);
            add(newest);
            leaving = tooMany(newest);
            leaving.ifPresent(this::remove);
        } finally {
            lock.unlock();
        }
        leaving.ifPresent(one -> one.closes.run());
        return newest;
    }

    /** How many are open. */
    int count() {
        lock.lock();
        try {
            return all.size();
        } finally {
            lock.unlock();
        }
    }

    /** Closes all. */
    void closeAll() {
        List<Visitor> leaving = new ArrayList<>();
        locked(() -> {
            leaving.addAll(all);
            leaving.forEach(this::remove);
        });
        close(leaving);
    }

    private static void close(List<Visitor> leaving) {
        leaving.forEach(one -> one.closes.run());
    }

    private void add(Visitor newest) {
        all.add(newest);
        Place there = places.computeIfAbsent(newest.place, place -> new Place());
        there.visitors++;
        there.strangers.add(newest);
        strangers++;
    }

    private void remove(Visitor one) {
        if (!all.remove(one)) {
            return;
        }
        forgetStranger(one);
        bytesToRead -= one.bytes;
        one.bytes = 0;
        Place there = at(one.place);
        there.visitors--;
        if (there.visitors == 0) {
            places.remove(one.place);
        }
    }

    private void forgetStranger(Visitor one) {
        Place there = places.get(one.place);
        if (there != null && there.strangers.remove(one)) {
            strangers--;
        }
    }

    private Place at(String place) {
        return Objects.requireNonNull(places.get(place));
    }

    /** Who has to go, under the lock. */
    private Optional<Visitor> tooMany(Visitor newest) {
        Place there = at(newest.place);
        if (there.strangers.size() > crowd.strangersOfOnePlace()) {
            return oldest(there, newest);
        }
        if (strangers > crowd.strangers()) {
            return oldestOfTheCrowded(newest);
        }
        if (there.visitors > crowd.ofOnePlace()) {
            return Optional.of(oldest(there, newest)
                    .or(() -> longest(State.IDLE, one -> one.place.equals(newest.place)))
                    .orElse(newest));
        }
        return all.size() > crowd.all()
                ? Optional.of(oldestOf(places.values(), newest)
                        .or(() -> longest(State.IDLE, one -> true))
                        .orElse(newest))
                : Optional.empty();
    }

    /** The oldest stranger from there but the newest. */
    private static Optional<Visitor> oldest(Place there, Visitor newest) {
        Iterator<Visitor> strangers = there.strangers.iterator();
        Visitor first = strangers.hasNext() ? strangers.next() : newest;
        return first == newest ? Optional.empty() : Optional.of(first);
    }

    /** The oldest stranger of those places that have most of them. */
    private Optional<Visitor> oldestOfTheCrowded(Visitor newest) {
        int most = places.values().stream()
                .mapToInt(place -> place.strangers.size())
                .max()
                .orElse(0);
        List<Place> crowded = places.values().stream()
                .filter(place -> place.strangers.size() == most)
                .toList();
        return oldestOf(crowded, newest).or(() -> Optional.of(newest));
    }

    private static Optional<Visitor> oldestOf(Collection<Place> some, Visitor newest) {
        return some.stream()
                .flatMap(place -> oldest(place, newest).stream())
                .min(Comparator.comparingLong(one -> one.number));
    }

    private Optional<Visitor> longest(State state, Predicate<Visitor> among) {
        return all.stream()
                .filter(one -> one.state == state && among.test(one))
                .min(Comparator.comparingLong(one -> one.since));
    }

    private List<Visitor> slowestReaders(Visitor newest) {
        List<Visitor> leaving = new ArrayList<>();
        locked(() -> {
            Optional<Visitor> slowest = Optional.of(newest);
            while (bytesToRead > mostBytesToRead && slowest.isPresent()) {
                slowest = longest(State.READING, one -> one != newest);
                slowest.ifPresent(one -> {
                    remove(one);
                    leaving.add(one);
                });
            }
        });
        return leaving;
    }

    private static String placeOf(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet6Address
                ? Arrays.toString(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES))
                : Arrays.toString(bytes);
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }
}
