package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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
 * <p>What it knows belongs to the poll under way, of which there is one at most; who watches is guarded by its lock.
 */
final class Poller implements AutoCloseable {
    /** Every so many polls the watchers hear that what they know is current. */
    private static final int PROOF_EVERY = 4;

    private static final long SHORTEST_DELAY_NANOS = 1_000_000;

    private final Runner runner;
    private final Timeline timeline;
    private final long delayNanos;

    private final Object lock = new Object();
    private final Map<ElectionName, List<Watching>> watchings = new HashMap<>();
    private Optional<Map<ElectionName, List<Watching>>> copied = Optional.empty();
    private Optional<Timeline.Alarm> next = Optional.empty();
    private boolean polling;
    private boolean closed;

    private final Map<ElectionName, Known> known = new HashMap<>();
    private Optional<Poll> last = Optional.empty();
    private OptionalLong firstEnd = OptionalLong.empty();
    private long pollsSinceProof;
    private boolean silent;

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
    record Seen(ElectionRow row, Optional<Duration> remaining) {}

    /**
     * What is known of one election.
     *
     * @param told none where the record cannot be understood
     */
    private record Known(ElectionRow row, Optional<ObservedRecord> told) {
        static Known absent(ElectionName election) {
            return new Known(
                    new ElectionRow(election.value(), 0, "", Optional.empty(), Optional.empty()),
                    Optional.of(ObservedRecord.ABSENT));
        }

        boolean isAsIn(Known other) {
            return row.nonce().equals(other.row.nonce()) && row.isLeaseAlive() == other.row.isLeaseAlive();
        }
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, this::forget);
        synchronized (lock) {
            watchings.merge(election, List.of(watching), Poller::joined);
            copied = Optional.empty();
        }
        pollNow();
        return watching;
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            watchings.clear();
            copied = Optional.empty();
            next.ifPresent(Timeline.Alarm::cancel);
        }
    }

    private void forget(Watching watching) {
        synchronized (lock) {
            List<Watching> others = new ArrayList<>(watchings.getOrDefault(watching.election(), List.of()));
            others.remove(watching);
            if (others.isEmpty()) {
                watchings.remove(watching.election());
            } else {
                watchings.put(watching.election(), List.copyOf(others));
            }
            copied = Optional.empty();
        }
    }

    private void pollNow() {
        synchronized (lock) {
            if (polling || closed || watchings.isEmpty()) {
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
            if (!closed && !watchings.isEmpty()) {
                next = Optional.of(timeline.at(timeline.nanos() + nanos, this::pollNow));
            }
        }
    }

    private Poll poll(Tx tx) throws SQLException, NeedsWrite {
        long sentAt = tx.now();
        StoreSession session = tx.session();
        long version = session.version();
        List<ElectionName> watched = List.copyOf(watchings().keySet());
        boolean asBefore = last.isPresent()
                && last.get().session() == session
                && last.get().version() == version;
        if (asBefore && known.keySet().containsAll(watched) && !isPast(firstEnd(session), sentAt)) {
            return new Poll(session, version, sentAt, watched, Optional.empty());
        }
        Map<ElectionName, String> nonces = new HashMap<>();
        boolean sameStore = isSameStore(session);
        for (ElectionName election : watched) {
            Known before = known.get(election);
            nonces.put(
                    election, before == null || !sameStore ? "" : before.row().nonce());
        }
        Map<ElectionName, Seen> rows = new HashMap<>();
        for (ElectionRow row : Elections.poll(tx, Names.withNonces(nonces))) {
            Optional<Duration> remaining =
                    row.isLeaseAlive() ? row.lease().map(lease -> lease.remaining(tx)) : Optional.empty();
            rows.put(new ElectionName(row.name()), new Seen(row, remaining));
        }
        return new Poll(session, version, sentAt, watched, Optional.of(rows));
    }

    /** Tells once that nothing is known for now. What is missed meanwhile is found by the next answer. */
    private long fallSilent() {
        if (!silent) {
            silent = true;
            watchings().values().forEach(all -> all.forEach(watching -> watching.tell(Watcher::gap)));
        }
        return delayNanos;
    }

    /** Takes an answer in and tells it; in how many nanoseconds to ask again. */
    private long apply(Poll poll) {
        silent = false;
        Map<ElectionName, List<Watching>> audience = watchings();
        if (last.isPresent() && !isSameStore(poll.session())) {
            known.clear();
            audience.values().forEach(all -> all.forEach(watching -> watching.tell(Watcher::gap)));
        }
        last = Optional.of(poll);
        boolean moved = false;
        if (poll.rows().isPresent()) {
            known.keySet().retainAll(poll.asked());
            for (ElectionName election : poll.asked()) {
                Optional<Seen> seen = Optional.ofNullable(poll.rows().get().get(election));
                moved |= learn(election, seen, audience.getOrDefault(election, List.of()));
            }
            firstEnd = known.values().stream()
                    .flatMap(one -> one.row().lease().stream())
                    .filter(lease -> !lease.dead())
                    .mapToLong(LeaseRow::expiresNanos)
                    .reduce((a, b) -> a - b <= 0 ? a : b);
        }
        welcome(audience);
        if (moved || ++pollsSinceProof >= PROOF_EVERY) {
            pollsSinceProof = 0;
            prove(audience, poll.sentAtNanos());
        }
        return untilNext(poll);
    }

    /** Takes in what was seen of one election; is it news to its watchers? */
    private boolean learn(ElectionName election, Optional<Seen> seen, List<Watching> audience) {
        Optional<Known> before = Optional.ofNullable(known.get(election));
        Known now = seen.isPresent() ? understood(seen.get(), before) : Known.absent(election);
        known.put(election, now);
        if (before.isPresent() && before.get().isAsIn(now)) {
            return false;
        }
        boolean wentBack =
                before.isPresent() && now.row().revision() < before.get().row().revision();
        for (Watching watching : audience) {
            if (wentBack) {
                watching.tell(Watcher::gap);
            }
            watching.tellState(now.told());
        }
        return true;
    }

    private static Known understood(Seen seen, Optional<Known> before) {
        ElectionRow row = seen.row();
        try {
            LeaderRecord record = row.record().isPresent()
                    ? RecordJson.read(row.record().get())
                    : before.flatMap(Known::told)
                            .map(ObservedRecord::record)
                            .orElseThrow(() -> new UnreadableRecordException("unreadable as before"));
            return new Known(
                    row,
                    Optional.of(new ObservedRecord(
                            record, new Revision(row.nonce()), row.isLeaseAlive(), seen.remaining())));
        } catch (UnreadableRecordException e) {
            return new Known(row, Optional.empty());
        }
    }

    /** Tells the present state to watchers that have heard nothing yet. */
    private void welcome(Map<ElectionName, List<Watching>> audience) {
        audience.forEach((election, all) -> {
            Optional<Known> now = Optional.ofNullable(known.get(election));
            for (Watching watching : all) {
                if (!watching.isBegun()) {
                    now.ifPresent(one -> watching.tellState(one.told()));
                }
            }
        });
    }

    private void prove(Map<ElectionName, List<Watching>> audience, long sentAtNanos) {
        audience.forEach((election, all) -> {
            Optional<ObservedRecord> told =
                    Optional.ofNullable(known.get(election)).flatMap(Known::told);
            if (told.isPresent()) {
                all.forEach(watching -> watching.tell(watcher -> watcher.currentAsOf(sentAtNanos)));
            }
        });
    }

    /** The usual delay, or less where a lease ends before; at once where somebody began to watch meanwhile. */
    private long untilNext(Poll poll) {
        if (!known.keySet().containsAll(watchings().keySet())) {
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

    /** Who watches, as of now. */
    private Map<ElectionName, List<Watching>> watchings() {
        synchronized (lock) {
            if (copied.isEmpty()) {
                copied = Optional.of(Map.copyOf(watchings));
            }
            return copied.get();
        }
    }

    private static List<Watching> joined(List<Watching> some, List<Watching> more) {
        List<Watching> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }
}
