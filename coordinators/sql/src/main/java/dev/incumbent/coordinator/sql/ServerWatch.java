package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Audience;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.jdbc.Told;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Watches elections on one daemon thread with a session of its own: one query for all of them at a fixed delay, which is the proof that what was told is
 * current; and between these, one for those that news is expected of: they were notified, their leader's lease ends, or somebody has just begun to watch.
 *
 * <p>A notification is a wake-up and nothing more: none may come, and a new session begins with a query for all.
 */
final class ServerWatch implements AutoCloseable {
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A query for all takes at most this share of the time, unless it takes longer than this share of a request timeout. */
    private static final int SHARE = 20;

    /** How long a session listens before it looks whether somebody wants it. */
    private static final Duration LISTENS = Duration.ofMillis(25);

    private static final long STACK_BYTES = 512 << 10;

    private final ServerStore store;
    private final ServerElections elections;
    private final Timeline timeline;

    private final Audience audience = new Audience();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wanted = lock.newCondition();
    private Optional<Thread> thread = Optional.empty();
    private boolean wakes;
    private volatile boolean closed;

    private final Told told = new Told();
    private final Map<ElectionName, Long> ends = new HashMap<>();
    private final Set<ElectionName> notified = new HashSet<>();
    private volatile Optional<ServerSession> session = Optional.empty();
    private boolean listens;
    private long nextForAllNanos;

    ServerWatch(ServerStore store, ServerElections elections, Timeline timeline) {
        this.store = store;
        this.elections = elections;
        this.timeline = timeline;
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = audience.join(election, watcher);
        lock.lock();
        try {
            wakes = true;
            wanted.signal();
            if (thread.isEmpty() && !closed) {
                Thread starting = new Thread(null, this::run, "incumbent-watch", STACK_BYTES);
                starting.setDaemon(true);
                thread = Optional.of(starting);
                nextForAllNanos = timeline.nanos();
                starting.start();
            }
        } finally {
            lock.unlock();
        }
        return watching;
    }

    /** Ends it; waits for its thread as long as a call may take. */
    @Override
    public void close() {
        Optional<Thread> running;
        lock.lock();
        try {
            closed = true;
            audience.clear();
            running = thread;
            wanted.signal();
        } finally {
            lock.unlock();
        }
        session.ifPresent(ServerSession::abort);
        if (running.isPresent() && running.get() != Thread.currentThread()) {
            try {
                running.get().join(store.requestTimeout().toMillis() + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        while (!closed) {
            try {
                if (audience.isEmpty()) {
                    await(Long.MAX_VALUE);
                } else {
                    turn();
                }
            } catch (SQLException | RuntimeException e) {
                if (!closed) {
                    fallSilent(e);
                }
            }
        }
        session.ifPresent(last -> last.leave(store.generation()));
    }

    /** Asks what is due, or waits until something is. */
    private void turn() throws SQLException {
        ServerSession current = current();
        Set<ElectionName> watched = audience.now().keySet();
        boolean forAll = timeline.nanos() - nextForAllNanos >= 0;
        Collection<ElectionName> due = forAll ? watched : due(watched);
        if (due.isEmpty()) {
            await(current);
        } else {
            ask(current, due, forAll);
        }
    }

    private ServerSession current() throws SQLException {
        if (session.isPresent() && session.get().generation() == store.generation()) {
            return session.get();
        }
        session.ifPresent(former -> former.leave(store.generation()));
        ServerSession opened = store.connect();
        session = Optional.of(opened);
        listens = store.dialect().listen(opened);
        nextForAllNanos = timeline.nanos();
        return opened;
    }

    private Collection<ElectionName> due(Set<ElectionName> watched) {
        long now = timeline.nanos();
        Set<ElectionName> due = watched.stream()
                .filter(election -> !told.knows(election) || notified.contains(election))
                .collect(Collectors.toSet());
        notified.clear();
        ends.forEach((election, end) -> {
            if (end - now <= 0 && watched.contains(election)) {
                due.add(election);
            }
        });
        return due;
    }

    private void ask(ServerSession current, Collection<ElectionName> due, boolean forAll) throws SQLException {
        Map<ElectionName, String> nonces = new HashMap<>();
        due.forEach(election -> nonces.put(election, told.nonce(election)));
        current.bound(store.requestTimeout());
        long sentAt = timeline.nanos();
        Map<ElectionName, ServerRow> rows = elections.poll(current, nonces).stream()
                .collect(Collectors.toMap(row -> new ElectionName(row.name()), row -> row));
        long answeredAt = timeline.nanos();
        if (closed) {
            return;
        }
        Map<ElectionName, List<Watching>> watching = audience.now();
        told.speak();
        for (ElectionName election : due) {
            Optional<ServerRow> row = Optional.ofNullable(rows.get(election));
            told.learn(election, row.map(ServerRow::sighting), watching.getOrDefault(election, List.of()));
            remember(election, row, answeredAt);
        }
        told.welcome(watching);
        if (forAll) {
            notified.clear();
            told.retain(watching.keySet());
            ends.keySet().retainAll(watching.keySet());
            told.prove(watching, sentAt);
            nextForAllNanos = answeredAt + delayNanos(answeredAt - sentAt, store.requestTimeout());
        }
    }

    /** Until the next query for all, after one that took so long: never longer than a request timeout, since a leader counts on the proof, and a candidate may hear of a vacancy by nothing else. */
    static long delayNanos(long tookNanos, Duration requestTimeout) {
        return Math.max(DELAY_NANOS, Math.min(requestTimeout.toNanos(), tookNanos * SHARE));
    }

    /** When a lease told alive ends by the server's clock, which is then asked again. */
    private void remember(ElectionName election, Optional<ServerRow> row, long answeredAt) {
        if (row.isPresent() && row.get().leaseAlive() && store.mayWrite()) {
            ends.put(
                    election,
                    answeredAt
                            + Math.max(
                                    TimeUnit.MILLISECONDS.toNanos(1),
                                    row.get().remaining().toNanos()));
        } else {
            ends.remove(election);
        }
    }

    /** Waits until a query is due, or somebody wants one. */
    private void await(ServerSession current) throws SQLException {
        long until = nextForAllNanos;
        for (long end : ends.values()) {
            until = end - until < 0 ? end : until;
        }
        long left = until - timeline.nanos();
        if (!listens) {
            await(left);
            return;
        }
        if (left > 0 && !takeWake()) {
            Duration atMost = Duration.ofNanos(Math.min(left, LISTENS.toNanos()));
            store.dialect().heard(current, atMost).forEach(this::hear);
        }
    }

    /** Every user of the database may notify our channel of anything; what names no election wakes nobody. */
    private void hear(String name) {
        ElectionName.ifLegal(name).ifPresent(notified::add);
    }

    private boolean takeWake() {
        lock.lock();
        try {
            boolean was = wakes;
            wakes = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    private void await(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!wakes && !closed && left > 0) {
                left = wanted.awaitNanos(left);
            }
            wakes = false;
        } catch (InterruptedException nobodyInterruptsUs) {
            wakes = false;
        } finally {
            lock.unlock();
        }
    }

    /** Tells that nothing is known for now, and asks again a little later; over a session that takes writes, where this one takes none. */
    private void fallSilent(Exception why) {
        Optional<Dialect.Failure> meaning =
                why instanceof SQLException e ? Optional.of(store.dialect().meaning(e)) : Optional.empty();
        boolean refusal = meaning.isPresent() && !meaning.get().endsSession();
        if (meaning.isPresent() && meaning.get() == Dialect.Failure.READ_ONLY) {
            store.serverTakesNoWrites();
        }
        if (!refusal && !(why instanceof CoordinatorException)) {
            store.connectionBroke();
            session.ifPresent(ServerSession::abort);
            session.ifPresent(ServerSession::close);
            session = Optional.empty();
        }
        told.fallSilent(audience.now());
        nextForAllNanos = timeline.nanos();
        await(DELAY_NANOS);
    }
}
