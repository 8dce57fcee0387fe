package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes of this process that may stand on the server alone: their wait for a synchronous standby was cancelled, or nobody knows how they ended. A record that shows such a write
 * proves nothing, for it is forgotten if the server is lost. Once a later write is acknowledged, the standby has all that came before. Thread-safe.
 */
final class UnconfirmedWrites {
    private final ServerSource source;
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong confirmed = new AtomicLong();
    private final AtomicBoolean confirming = new AtomicBoolean();

    UnconfirmedWrites(ServerSource source) {
        this.source = source;
    }

    /** One more. */
    void add() {
        made.incrementAndGet();
    }

    /** Returns once there is none of those that were added before; throws where that is not known. Only one thread at a time waits for the standby. */
    void confirm(ServerSession session) throws SQLException {
        long until = made.get();
        Optional<String> marker = source.dialect().marker();
        if (confirmed.get() >= until || marker.isEmpty()) {
            return;
        }
        if (!confirming.compareAndSet(false, true)) {
            throw new CoordinatorException(
                    "the coordinator " + source.label()
                            + " may have a write of this process alone, and its synchronous standby is waited for",
                    false);
        }
        try {
            session.sql().query(marker.get(), row -> true);
            confirmed.accumulateAndGet(until, Math::max);
        } finally {
            confirming.set(false);
        }
    }
}
