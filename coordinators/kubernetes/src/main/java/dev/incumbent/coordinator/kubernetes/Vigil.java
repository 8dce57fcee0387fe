package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.model.LeaseId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Since when each session has stood as it was last seen, by this process's own clock: Kubernetes ends no lease by itself, so whoever watches
 * counts. It counts from after it was told, where the holder counts from before it asked. Thread-safe.
 */
final class Vigil {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final ConcurrentHashMap<LeaseId, Sight> sights = new ConcurrentHashMap<>();

    /**
     * One session as it was last seen.
     *
     * @param renewal what each keep-alive writes anew; a position could come again in a restored store
     */
    private record Sight(String renewal, long sinceNanos, long lengthNanos) {
        long endNanos() {
            return sinceNanos + lengthNanos;
        }
    }

    /** A session was seen, told by an answer that had arrived by then; is its time over? */
    boolean isOverdue(Stored session, long nowNanos) {
        String renewal = session.annotation(Stored.RENEWAL).orElse("");
        long length = TimeUnit.SECONDS.toNanos(seconds(session));
        Sight sight = Optional.ofNullable(sights.compute(new LeaseId(session.name()), (id, before) -> {
                    boolean isAsBefore = before != null && before.renewal().equals(renewal);
                    return isAsBefore ? before : new Sight(renewal, nowNanos, length);
                }))
                .orElseThrow();
        return nowNanos - sight.endNanos() > 0;
    }

    /** The greater of the two: whoever begins to watch after somebody has shortened one of them counts no less than the holder was granted. */
    private static long seconds(Stored session) {
        long granted = session.annotation(Stored.LENGTH)
                .filter(text -> SECONDS.matcher(text).matches())
                .map(Long::parseLong)
                .orElse(0L);
        return Math.max(1, Math.max(granted, Document.number(session.spec(), "leaseDurationSeconds")));
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

    /** These are all sessions that there are, or have come since. */
    void forgetAllBut(Set<LeaseId> known) {
        sights.keySet().retainAll(known);
    }
}
