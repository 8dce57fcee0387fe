package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Audience;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.jdbc.Names;
import dev.incumbent.jdbc.Told;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Watches elections by asking at a fixed delay, all of them by one question: has anybody written since, or has a lease told alive come
 * to its end? Only then one query tells the records that are new, and all leases.
 *
 * <p>What was told belongs to the poll under way, of which there is one at most.
 */
final class Poller implements AutoCloseable {
    /** Every so many polls the watchers hear that what they know is current. */
    private static final int PROOF_EVERY = 4;

    private static final long SHORTEST_DELAY_NANOS = 1_000_000;

    private final Runner runner;
    private final Timeline timeline;
    private final long delayNanos;

    private final Audience audience = new Audience();
    private final Object lock = new Object();
    private Optional<Timeline.Alarm> next = Optional.empty();
    private boolean polling;
    private boolean closed;

    private final Told told = new Told();
    private Optional<Poll> last = Optional.empty();
    private OptionalLong firstEnd = OptionalLong.empty();
    private long pollsSinceProof;

    Poller(Runner runner, Timeline timeline, long delayNanos) {
        this.runner = runner;
        this.timeline = timeline;
        this.delayNanos = delayNanos;
    }

    /** Runs a poll, and tells an answer on one thread. */
    interface Runner {
        void run(Work<Poll> work, BiConsumer<? super Poll, ? super Throwable> then);
    }

    /**
     * What one poll found.
     *
     * @param version of the data it asked, comparable within one session
     * @param asked the elections it asked for
     * @param rows those of them that have a record; none if nothing has moved
     */
    record Poll(
            StoreSession session,
            long version,
            long sentAtNanos,
            List<ElectionName> asked,
            Optional<Map<ElectionName, Seen>> rows) {}

    /** One election as a poll saw it, with what was left of its leader's lease. */
    record Seen(ElectionRow row, Optional<Duration> remaining) {
        Told.Sighting sighting() {
            return new Told.Sighting(row.revision(), row.nonce(), row.record(), row.isLeaseAlive(), remaining);
        }
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = audience.join(election, watcher);
        pollNow();
        return watching;
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            audience.clear();
            next.ifPresent(Timeline.Alarm::cancel);
        }
    }

    private void pollNow() {
        synchronized (lock) {
            if (polling || closed || audience.isEmpty()) {
                return;
            }
            polling = true;
            next.ifPresent(Timeline.Alarm::cancel);
            next = Optional.empty();
        }
        runner.run(this::poll, (poll, failure) -> pollIn(poll == null ? fallSilent() : apply(poll)));
    }

    private void pollIn(long nanos) {
        synchronized (lock) {
            polling = false;
            if (!closed && !audience.isEmpty()) {
                next = Optional.of(timeline.at(timeline.nanos() + nanos, this::pollNow));
            }
        }
    }

    private Poll poll(Tx tx) throws SQLException, NeedsWrite {
        long sentAt = tx.now();
        StoreSession session = tx.session();
        long version = session.version();
        List<ElectionName> watched = List.copyOf(audience.now().keySet());
        boolean asBefore = last.isPresent()
                && last.get().session() == session
                && last.get().version() == version;
        if (asBefore && told.knowsAll(watched) && !isPast(firstEnd(session), sentAt)) {
            return new Poll(session, version, sentAt, watched, Optional.empty());
        }
        Map<ElectionName, String> nonces = new HashMap<>();
        boolean sameStore = isSameStore(session);
        for (ElectionName election : watched) {
            nonces.put(election, sameStore ? told.nonce(election) : "");
        }
        Map<ElectionName, Seen> rows = new HashMap<>();
        for (ElectionRow row : Records.poll(tx, Names.withNonces(nonces))) {
            Optional<Duration> remaining =
                    row.isLeaseAlive() ? row.lease().map(lease -> lease.remaining(tx)) : Optional.empty();
            rows.put(new ElectionName(row.name()), new Seen(row, remaining));
        }
        return new Poll(session, version, sentAt, watched, Optional.of(rows));
    }

    private long fallSilent() {
        told.fallSilent(audience.now());
        return delayNanos;
    }

    /** Takes an answer in and tells it; in how many nanoseconds to ask again. */
    private long apply(Poll poll) {
        told.speak();
        Map<ElectionName, List<Watching>> watching = audience.now();
        if (last.isPresent() && !isSameStore(poll.session())) {
            told.forget(watching);
        }
        last = Optional.of(poll);
        boolean moved =
                poll.rows().isPresent() && learn(poll.asked(), poll.rows().get(), watching);
        told.welcome(watching);
        if (moved || ++pollsSinceProof >= PROOF_EVERY) {
            pollsSinceProof = 0;
            told.prove(watching, poll.sentAtNanos());
        }
        return untilNext(poll);
    }

    /** Takes in what was seen of all elections asked for; is any of it news? */
    private boolean learn(
            List<ElectionName> asked, Map<ElectionName, Seen> rows, Map<ElectionName, List<Watching>> watching) {
        boolean moved = false;
        told.retain(asked);
        for (ElectionName election : asked) {
            Optional<Told.Sighting> seen =
                    Optional.ofNullable(rows.get(election)).map(Seen::sighting);
            moved |= told.learn(election, seen, watching.getOrDefault(election, List.of()));
        }
        firstEnd = rows.values().stream()
                .flatMap(one -> one.row().lease().stream())
                .filter(lease -> !lease.dead())
                .mapToLong(LeaseRow::expiresNanos)
                .reduce((a, b) -> a - b <= 0 ? a : b);
        return moved;
    }

    /** The usual delay, or less where a lease ends before; at once where somebody began to watch meanwhile. */
    private long untilNext(Poll poll) {
        if (!told.knowsAll(audience.now().keySet())) {
            return 0;
        }
        OptionalLong end = firstEnd(poll.session());
        long untilEnd = end.isPresent() ? end.getAsLong() - timeline.nanos() : delayNanos;
        return Math.min(delayNanos, Math.max(untilEnd, SHORTEST_DELAY_NANOS));
    }

    private static boolean isPast(OptionalLong end, long now) {
        return end.isPresent() && end.getAsLong() - now <= 0;
    }

    private boolean isSameStore(StoreSession session) {
        return last.isPresent() && last.get().session().identity().equals(session.identity());
    }

    /** When the first of the leases told alive ends, where this session could bury it then. */
    private OptionalLong firstEnd(StoreSession session) {
        return session.canWrite() ? firstEnd : OptionalLong.empty();
    }
}
