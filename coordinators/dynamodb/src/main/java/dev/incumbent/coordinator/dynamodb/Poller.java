package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.Audience;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Watches elections by looking: at all of them at a fixed delay, and between these at those that somebody has just begun to watch, and at those whose leader's lease
 * ends unless it was kept alive.
 *
 * <p>One look is under way at most; what is known belongs to it, the rest is guarded by the lock.
 */
final class Poller implements AutoCloseable {
    private static final Duration DELAY = Duration.ofMillis(250);
    private static final Duration AFTER_THE_END = Duration.ofMillis(2);

    private final Store store;
    private final Timeline timeline;

    private final Audience audience = new Audience();
    private final Object lock = new Object();
    private final Set<ElectionName> fresh = new HashSet<>();
    private Optional<Timeline.Alarm> next = Optional.empty();
    private boolean looking;
    private boolean closed;

    private final Map<ElectionName, Seen> known = new HashMap<>();
    private long nextForAllNanos;
    private boolean silent;

    Poller(Store store, Timeline timeline) {
        this.store = store;
        this.timeline = timeline;
        this.nextForAllNanos = timeline.nanos();
    }

    /** What is looked at. */
    interface Store {
        CompletionStage<Records.Look> look(Set<ElectionName> elections);

        /** When a lease that was seen alive will be overdue. */
        OptionalLong endNanos(LeaseId lease);
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watch watch = audience.join(election, watcher);
        synchronized (lock) {
            fresh.add(election);
        }
        lookIfIdle();
        return watch;
    }

    private void lookIfIdle() {
        synchronized (lock) {
            if (looking || closed || audience.isEmpty()) {
                return;
            }
            looking = true;
            next.ifPresent(Timeline.Alarm::cancel);
        }
        look();
    }

    private void look() {
        long now = timeline.nanos();
        boolean forAll = now - nextForAllNanos >= 0;
        Set<ElectionName> asked = forAll ? watched() : due(now);
        if (asked.isEmpty()) {
            goOn();
            return;
        }
        CompletionStage<Records.Look> unused = store.look(asked).whenComplete((look, failure) -> {
            if (failure == null) {
                silent = false;
                asked.forEach(election -> learn(election, look));
            } else {
                fallSilent();
            }
            if (forAll || failure != null) {
                int batches = Table.batches(asked).size();
                nextForAllNanos = timeline.nanos() + DELAY.multipliedBy(batches).toNanos();
            }
            goOn();
        });
    }

    /** What somebody watches now; what nobody watches is forgotten. */
    private Set<ElectionName> watched() {
        Set<ElectionName> watched = audience.now().keySet();
        known.keySet().retainAll(watched);
        return watched;
    }

    private Set<ElectionName> due(long now) {
        Set<ElectionName> due = new HashSet<>();
        synchronized (lock) {
            due.addAll(fresh);
            fresh.clear();
        }
        due.retainAll(watched());
        known.forEach((election, seen) -> {
            OptionalLong end = endNanos(seen);
            if (end.isPresent() && end.getAsLong() - now <= 0) {
                due.add(election);
            }
        });
        return due;
    }

    private OptionalLong endNanos(Seen seen) {
        Optional<LeaseId> lease = seen.lease().filter(id -> seen.leaseAlive());
        OptionalLong end = lease.isPresent() ? store.endNanos(lease.get()) : OptionalLong.empty();
        return end.isPresent() ? OptionalLong.of(end.getAsLong() + AFTER_THE_END.toNanos()) : end;
    }

    private void learn(ElectionName election, Records.Look look) {
        List<Watching> watchings = audience.of(election);
        Optional<Seen> before = Optional.ofNullable(known.get(election));
        Optional<Seen> now = Optional.ofNullable(look.seen().get(election));
        if (now.isEmpty()) {
            known.remove(election);
            before.ifPresent(one -> watchings.forEach(watching -> watching.tell(Watcher::gap)));
            return;
        }
        known.put(election, now.get());
        boolean isNews = before.isEmpty() || !before.get().isAsIn(now.get());
        boolean wentBack =
                before.isPresent() && now.get().position() < before.get().position();
        long sentAt = Optional.ofNullable(look.sentAtNanos().get(election)).orElseThrow();
        for (Watching watching : watchings) {
            if (isNews && wentBack) {
                watching.tell(Watcher::gap);
            }
            if (isNews || !watching.isBegun()) {
                watching.tellState(now.get().state());
            }
            if (now.get().state().isPresent()) {
                watching.tell(watcher -> watcher.currentAsOf(sentAt));
            }
        }
    }

    /** Tells once that nothing is known for now. What is missed meanwhile is found by the next answer. */
    private void fallSilent() {
        if (!silent) {
            silent = true;
            audience.tellAll(Watcher::gap);
        }
    }

    private void goOn() {
        long now = timeline.nanos();
        long at = nextForAllNanos;
        if (!silent) {
            for (Seen seen : known.values()) {
                OptionalLong end = endNanos(seen);
                boolean isSooner = end.isPresent() && end.getAsLong() - at < 0 && end.getAsLong() - now > 0;
                at = isSooner ? end.getAsLong() : at;
            }
        }
        synchronized (lock) {
            looking = false;
            if (!closed && !audience.isEmpty()) {
                next = Optional.of(timeline.at(fresh.isEmpty() ? at : now, this::lookIfIdle));
            }
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            audience.clear();
            next.ifPresent(Timeline.Alarm::cancel);
        }
    }
}
