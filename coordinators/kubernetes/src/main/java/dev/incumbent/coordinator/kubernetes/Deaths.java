package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.model.LeaseId;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which sessions are to be buried, and when to look for the next: those that lead and whose time is over by the {@link Vigil}. A session that leads nothing is
 * left to others. Belongs to its {@link LeaseCache}; the vigil is shared with those who read, and knows what they saw, too.
 */
final class Deaths {
    private final Vigil vigil;
    private final long retryNanos;

    /** Whose burial was asked for, and when it may be asked for again. */
    private final Map<LeaseId, Long> buryNotBefore = new HashMap<>();

    private long lookAt = Rhythm.NEVER;

    /** A burial that failed is asked for again after {@code retryNanos}. */
    Deaths(Vigil vigil, long retryNanos) {
        this.vigil = vigil;
        this.retryNanos = retryNanos;
    }

    /** A session was told. */
    void sighted(LeaseId id, Stored session, long nowNanos) {
        boolean unused = vigil.isOverdue(session, nowNanos);
        mayDie(id);
    }

    /** A session may be one that leads: its end matters. */
    void mayDie(LeaseId id) {
        OptionalLong end = vigil.endNanos(id);
        if (end.isPresent()) {
            lookAt = Math.min(lookAt, end.getAsLong() + 1);
        }
    }

    /** When to look next. */
    long lookAt() {
        return lookAt;
    }

    /** Buries those that lead and whose time is over, each once at a time. */
    void look(Map<LeaseId, Stored> alive, Set<LeaseId> leading, CacheStep step) {
        lookAt = Rhythm.NEVER;
        alive.forEach((id, session) -> {
            long dueAt = dueAt(id, step.now());
            if (dueAt > step.now()) {
                lookAt = Math.min(lookAt, dueAt);
            } else if (leading.contains(id)) {
                buryNotBefore.put(id, Rhythm.NEVER);
                step.add(new CacheEffect.Bury(session));
            }
        });
    }

    private long dueAt(LeaseId id, long nowNanos) {
        OptionalLong end = vigil.endNanos(id);
        long overAt = end.isPresent() ? end.getAsLong() + 1 : nowNanos;
        return Math.max(overAt, buryNotBefore.getOrDefault(id, overAt));
    }

    /** It was not buried, as far as is known. */
    void survived(LeaseId id, long nowNanos) {
        buryNotBefore.put(id, nowNanos + retryNanos);
        lookAt = Math.min(lookAt, nowNanos + retryNanos);
    }

    /** It is gone. */
    void gone(LeaseId id) {
        vigil.forget(id);
        buryNotBefore.remove(id);
    }

    /** These are all sessions that there are. */
    void onlyTheseLive(Set<LeaseId> alive) {
        vigil.forgetAllBut(alive);
        buryNotBefore.keySet().retainAll(alive);
    }

    /** Nobody waits for a death. */
    void rest() {
        lookAt = Rhythm.NEVER;
    }
}
