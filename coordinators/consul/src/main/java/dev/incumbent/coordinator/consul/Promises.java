package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Txn;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long the holders of leases were told that they may go on: a key for each lease, which outlives its session. A session ends at once when its node leaves the catalog,
 * and its holder hears of it at its next keep-alive. So whoever finds a session gone counts the lease's whole length, by its own clock, from after it was told; then it deletes the
 * promise, and only then the lease is dead, for everybody. Thread-safe.
 *
 * <p>A keep-alive succeeds only where the session was there after it was sent, and the session was gone before anybody counts: so the holder's time is over first, whatever
 * ended the session.
 */
final class Promises {
    private final ConsulClient store;
    private final Keys keys;
    private final Timeline timeline;
    private final Mode mode;
    private final ConcurrentHashMap<LeaseId, Long> overAtNanos = new ConcurrentHashMap<>();

    Promises(ConsulClient store, Keys keys, Timeline timeline, Mode mode) {
        this.store = store;
        this.keys = keys;
        this.timeline = timeline;
        this.mode = mode;
    }

    /** Adds what makes the promise of a lease that is being granted. */
    Txn make(Txn txn, LeaseId lease, Duration length) {
        return txn.set(keys.promise(lease), length.toString());
    }

    /** Whoever may only read buries nobody. */
    boolean mayBury() {
        return mode == Mode.CREATE;
    }

    /** How a lease stands whose session is gone. */
    CompletionStage<LeaseStatus> status(LeaseId lease, long deadlineNanos) {
        return store.find(keys.promise(lease), deadlineNanos).thenCompose(found -> {
            if (found.isEmpty()) {
                overAtNanos.remove(lease);
                return CompletableFuture.completedStage(LeaseStatus.DEAD);
            }
            long length = length(found.get()).toNanos();
            long overAt = overAtNanos.computeIfAbsent(lease, it -> timeline.nanos() + length);
            boolean isOver = timeline.nanos() - overAt > 0;
            return isOver && mayBury()
                    ? bury(lease, deadlineNanos)
                    : CompletableFuture.completedStage(LeaseStatus.ENDED);
        });
    }

    private static Duration length(Entry promise) {
        try {
            return Duration.parse(promise.value());
        } catch (DateTimeParseException e) {
            throw new CoordinatorException(
                    "the key " + promise.key() + " holds no length of a lease: '" + promise.value() + "'", false, e);
        }
    }

    /** Not dead where it is not known to be deleted. */
    private CompletionStage<LeaseStatus> bury(LeaseId lease, long deadlineNanos) {
        return withdraw(lease, deadlineNanos).handle((done, failure) -> {
            if (failure != null) {
                return LeaseStatus.ENDED;
            }
            overAtNanos.remove(lease);
            return LeaseStatus.DEAD;
        });
    }

    /** Deletes the promise: its holder does not go on. */
    CompletionStage<Void> withdraw(LeaseId lease, long deadlineNanos) {
        String key = keys.promise(lease);
        return store.apply(new Txn().delete(key), "deleting " + key, deadlineNanos)
                .thenAccept(outcome -> {});
    }

    /** What is left of the time that is counted for a lease; nothing where none is. */
    Duration left(LeaseId lease) {
        Long overAt = overAtNanos.get(lease);
        return overAt == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, overAt - timeline.nanos()));
    }

    /** Its session lives: where it had been seen gone, the store went back. */
    void forget(LeaseId lease) {
        overAtNanos.remove(lease);
    }
}
