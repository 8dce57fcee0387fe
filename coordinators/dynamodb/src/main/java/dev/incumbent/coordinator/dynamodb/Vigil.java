package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.model.LeaseId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Since when each session has stood as it was last seen, by this process's own clock: DynamoDB ends no lease by itself, so whoever watches counts. It counts from
 * after it was told, where the holder counts from before it asked. Thread-safe.
 */
final class Vigil {
    private final ConcurrentHashMap<LeaseId, Sight> sights = new ConcurrentHashMap<>();

    /**
     * One session as it was last seen.
     *
     * @param renewal what each keep-alive writes anew; a count could come again in a restored table
     */
    private record Sight(String renewal, long sinceNanos, long lengthNanos) {
        long endNanos() {
            return sinceNanos + lengthNanos;
        }
    }

    /** A session was seen, told by an answer that had arrived by then; is its time over? */
    boolean isOverdue(Item session, long nowNanos) {
        String renewal = session.find(Item.RENEWAL).orElse("");
        long length = TimeUnit.MILLISECONDS.toNanos(Math.max(1, session.count(Item.LENGTH_MILLIS)));
        Sight sight = Optional.ofNullable(sights.compute(new LeaseId(session.sort()), (id, before) -> {
                    boolean isAsBefore = before != null && before.renewal().equals(renewal);
                    return isAsBefore ? before : new Sight(renewal, nowNanos, length);
                }))
                .orElseThrow();
        return nowNanos - sight.endNanos() > 0;
    }

    /** When a session that was seen will be overdue unless it is kept alive. */
    OptionalLong endNanos(LeaseId id) {
        Sight sight = sights.get(id);
        return sight == null ? OptionalLong.empty() : OptionalLong.of(sight.endNanos());
    }

    /** It is gone. */
    void forget(LeaseId id) {
        sights.remove(id);
    }

    /** These are all sessions of that first digit that there are. */
    void forgetAllBut(Set<LeaseId> known, char digit) {
        sights.keySet().removeIf(id -> id.value().charAt(0) == digit && !known.contains(id));
    }
}
