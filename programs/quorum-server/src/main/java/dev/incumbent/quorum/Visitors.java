package dev.incumbent.quorum;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The connections that are open at one port. Where one comes too many, another is closed: the oldest stranger's, so that whoever opens many and asks nothing keeps nobody out; else one that is idle;
 * else the new one. Thread-safe.
 */
final class Visitors {
    private static final int IPV6_NETWORK_BYTES = 8;

    private final Bounds.Crowd crowd;
    private final long mostBytesToRead;
    private final ReentrantLock lock = new ReentrantLock();
    /** In the order of their coming. */
    private final Set<Visitor> all = new LinkedHashSet<>();

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

    /** One connection. */
    final class Visitor {
        private final String place;
        private final Runnable closes;
        private State state = State.STRANGER;
        private boolean known;
        private long since;
        private long bytes;

        private Visitor(String place, Runnable closes) {
            this.place = place;
            this.closes = closes;
        }

        /** A request of it was admitted: it is no stranger's any more. */
        void isAdmitted() {
            locked(() -> known = true);
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
            locked(() -> all.remove(this));
        }

        private void becomes(State next, long length) {
            locked(() -> {
                state = next;
                bytes = length;
                since = ++events;
            });
        }

        private boolean isStranger() {
            return !known;
        }
    }

    /** A connection was opened from there; {@code closes} is called, by any thread, where it must make room. */
    Visitor arrives(InetAddress from, Runnable closes) {
        Visitor newest = new Visitor(placeOf(from), closes);
        List<Visitor> leaving = new ArrayList<>();
        locked(() -> {
            all.add(newest);
            tooMany(newest).ifPresent(leaving::add);
            leaving.forEach(all::remove);
        });
        close(leaving);
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
            all.clear();
        });
        close(leaving);
    }

    private static void close(List<Visitor> leaving) {
        leaving.forEach(one -> one.closes.run());
    }

    /** Who has to go, under the lock. */
    private Optional<Visitor> tooMany(Visitor newest) {
        Predicate<Visitor> fromThere = one -> one.place.equals(newest.place);
        if (count(fromThere.and(Visitor::isStranger)) > crowd.strangersOfOnePlace()) {
            return oldest(fromThere.and(Visitor::isStranger));
        }
        if (count(Visitor::isStranger) > crowd.strangers()) {
            return oldestOfTheCrowded();
        }
        if (count(fromThere) > crowd.ofOnePlace()) {
            return Optional.of(replaced(newest, fromThere));
        }
        return all.size() > crowd.all() ? Optional.of(replaced(newest, one -> true)) : Optional.empty();
    }

    private Visitor replaced(Visitor newest, Predicate<Visitor> among) {
        return oldest(among.and(one -> one.isStranger() && one != newest))
                .or(() -> longest(State.IDLE, among))
                .orElse(newest);
    }

    /** The oldest stranger of those places that have most of them. */
    private Optional<Visitor> oldestOfTheCrowded() {
        Map<String, Integer> strangers = new HashMap<>();
        all.stream().filter(Visitor::isStranger).forEach(one -> strangers.merge(one.place, 1, Integer::sum));
        int most = strangers.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return oldest(one -> one.isStranger() && strangers.getOrDefault(one.place, 0) == most);
    }

    private Optional<Visitor> oldest(Predicate<Visitor> among) {
        return all.stream().filter(among).findFirst();
    }

    private Optional<Visitor> longest(State state, Predicate<Visitor> among) {
        return in(state).filter(among).min(Comparator.comparingLong(one -> one.since));
    }

    private long count(Predicate<Visitor> among) {
        return all.stream().filter(among).count();
    }

    private Stream<Visitor> in(State state) {
        return all.stream().filter(one -> one.state == state);
    }

    private List<Visitor> slowestReaders(Visitor newest) {
        List<Visitor> leaving = new ArrayList<>();
        locked(() -> {
            long left = in(State.READING).mapToLong(one -> one.bytes).sum();
            Optional<Visitor> slowest = longest(State.READING, one -> one != newest);
            while (left > mostBytesToRead && slowest.isPresent()) {
                left -= slowest.get().bytes;
                all.remove(slowest.get());
                leaving.add(slowest.get());
                slowest = longest(State.READING, one -> one != newest);
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
