package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Audience;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Watches elections by looking: at those that a message has named, at those whose lease comes to its end, and at a fixed delay at the store's version, which
 * tells whether anything else has changed.
 *
 * <p>One look is under way at most; what is known belongs to it, who watches is guarded by the lock.
 */
final class Poller implements AutoCloseable {
    private static final Duration AFTER_THE_END = Duration.ofMillis(2);
    private static final long SHORTEST_DELAY_NANOS = 1_000_000;

    private final Store store;
    private final Timeline timeline;

    private final Audience audience = new Audience();
    private final Object lock = new Object();
    private final Set<ElectionName> named = new HashSet<>();
    private final Set<LeaseId> ended = new HashSet<>();
    private Optional<Timeline.Alarm> next = Optional.empty();
    private boolean looking;
    private boolean again;
    private boolean closed;

    private final Map<ElectionName, Known> known = new HashMap<>();
    private String version = "";
    private String life = "";
    private boolean silent;

    Poller(Store store, Timeline timeline) {
        this.store = store;
        this.timeline = timeline;
    }

    /** What is looked at. */
    interface Store {
        /** The states of these elections; those that cannot be told are left out. */
        CompletableFuture<Map<ElectionName, Seen>> look(Set<ElectionName> elections);

        /** Which life of the store answers; a new one may have forgotten. */
        String life();

        /** Bears the name of the last change of any record; none where the store keeps no such thing, and every look is at all. */
        CompletableFuture<Optional<String>> version();

        /** How long to wait until the version is looked at again. */
        Duration delay();

        /** A look at the version found what no message had told, or no answer. */
        void missed();
    }

    private record Known(Seen seen, long endNanos) {
        boolean hasAnEnd() {
            return seen.state().flatMap(ObservedRecord::leaseRemaining).isPresent();
        }

        boolean isDueBy(long now) {
            return hasAnEnd() && endNanos - now <= 0;
        }
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watch watch = audience.join(election, watcher);
        synchronized (lock) {
            named.add(election);
        }
        lookNow();
        return watch;
    }

    /** A message named an election that changed. */
    void changed(ElectionName election) {
        if (audience.of(election).isEmpty()) {
            return;
        }
        synchronized (lock) {
            named.add(election);
        }
        lookNow();
    }

    /** A message named a lease that ended. */
    void ended(LeaseId lease) {
        synchronized (lock) {
            ended.add(lease);
        }
        lookNow();
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            audience.clear();
            next.ifPresent(Timeline.Alarm::cancel);
        }
    }

    /** Looks as soon as no look is under way. */
    void lookNow() {
        synchronized (lock) {
            again |= looking;
            if (looking || closed || audience.isEmpty()) {
                return;
            }
            looking = true;
            next.ifPresent(Timeline.Alarm::cancel);
        }
        look();
    }

    /** First at what was named, which is what somebody waits for; else at the version. */
    private void look() {
        long sentAt = timeline.nanos();
        Set<ElectionName> asked = askedFor(sentAt);
        CompletableFuture<Boolean> round = asked.isEmpty() ? lookAtVersion(sentAt) : lookAt(asked);
        CompletableFuture<Boolean> unused = round.whenComplete((told, failure) -> {
            if (failure != null) {
                fallSilent();
            }
            goOn();
        });
    }

    private Set<ElectionName> askedFor(long now) {
        Set<ElectionName> asked = new HashSet<>();
        Set<LeaseId> dead = new HashSet<>();
        synchronized (lock) {
            again = false;
            asked.addAll(named);
            named.clear();
            dead.addAll(ended);
            ended.clear();
            Set<ElectionName> watched = audience.now().keySet();
            asked.retainAll(watched);
            known.keySet().retainAll(watched);
        }
        known.forEach((election, one) -> {
            if (one.isDueBy(now) || one.seen().lease().filter(dead::contains).isPresent()) {
                asked.add(election);
            }
        });
        return asked;
    }

    private CompletableFuture<Boolean> lookAtVersion(long sentAt) {
        return store.version().thenCompose(found -> {
            Set<ElectionName> watched = audience.now().keySet();
            if (found.isPresent() && isUnchanged(found.get(), watched)) {
                silent = false;
                prove(sentAt);
                return CompletableFuture.completedFuture(true);
            }
            if (found.isPresent() && !version.isEmpty()) {
                store.missed();
            }
            return lookAt(watched).thenApply(all -> {
                if (all) {
                    version = found.orElse("");
                    prove(sentAt);
                }
                return all;
            });
        });
    }

    private boolean isUnchanged(String found, Set<ElectionName> watched) {
        return found.equals(version)
                && life.equals(store.life())
                && known.keySet().containsAll(watched);
    }

    /** Looks at some elections, and tells what is news; was every one told? */
    private CompletableFuture<Boolean> lookAt(Set<ElectionName> asked) {
        return store.look(asked).thenApply(states -> {
            silent = false;
            beginLife(store.life());
            asked.forEach(
                    election -> learn(election, Optional.ofNullable(states.get(election)), audience.of(election)));
            return states.keySet().containsAll(asked);
        });
    }

    /** Another server, or the same one started anew, may have forgotten what was told. */
    private void beginLife(String now) {
        if (!life.isEmpty() && !life.equals(now)) {
            known.clear();
            version = "";
            audience.tellAll(Watcher::gap);
        }
        life = now;
    }

    private void learn(ElectionName election, Optional<Seen> state, List<Watching> watchings) {
        Optional<Known> before = Optional.ofNullable(known.get(election));
        if (state.isEmpty()) {
            known.remove(election);
            before.ifPresent(one -> watchings.forEach(watching -> watching.tell(Watcher::gap)));
            return;
        }
        Seen now = state.get();
        known.put(election, new Known(now, endNanos(now)));
        boolean isNews = before.isEmpty() || !before.get().seen().isAsIn(now);
        boolean wentBack =
                before.isPresent() && now.position() < before.get().seen().position();
        for (Watching watching : watchings) {
            if (isNews && wentBack) {
                watching.tell(Watcher::gap);
            }
            if (isNews || !watching.isBegun()) {
                watching.tellState(now.state());
            }
        }
    }

    private long endNanos(Seen seen) {
        Duration left = seen.state().flatMap(ObservedRecord::leaseRemaining).orElse(Duration.ZERO);
        return timeline.nanos() + left.plus(AFTER_THE_END).toNanos();
    }

    /** Tells once that nothing is known for now. What is missed meanwhile is found by the next answer. */
    private void fallSilent() {
        if (!silent) {
            silent = true;
            version = "";
            store.missed();
            audience.tellAll(Watcher::gap);
        }
    }

    private void prove(long sentAtNanos) {
        known.forEach((election, one) -> {
            if (one.seen().state().isPresent()) {
                audience.of(election).stream()
                        .filter(Watching::isBegun)
                        .forEach(watching -> watching.tell(watcher -> watcher.currentAsOf(sentAtNanos)));
            }
        });
    }

    private void goOn() {
        long now = timeline.nanos();
        long delay = store.delay().toNanos();
        for (Known one : known.values()) {
            if (one.hasAnEnd()) {
                delay = Math.min(delay, Math.max(one.endNanos() - now, SHORTEST_DELAY_NANOS));
            }
        }
        synchronized (lock) {
            looking = false;
            if (!closed && !audience.isEmpty()) {
                long at = now + (again ? 0 : delay);
                next = Optional.of(timeline.at(at, this::lookNow));
            }
        }
    }
}
