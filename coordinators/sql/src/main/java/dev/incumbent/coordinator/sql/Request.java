package dev.incumbent.coordinator.sql;

import dev.incumbent.calls.Call;
import java.sql.SQLException;
import java.util.Optional;

/** One call to a database server. */
final class Request<T> extends Call<T> {
    private final ServerWork<T> work;
    private final Optional<Share<?, T>> share;
    private boolean repeated;
    private boolean alone;

    Request(ServerWork<T> work, boolean writes, Optional<Share<?, T>> share, long deadlineNanos) {
        super(writes, deadlineNanos);
        this.work = work;
        this.share = share;
    }

    /** Does its work; what answers it. */
    Runnable run(ServerSession session) throws SQLException {
        T value = work.in(session);
        return () -> answer(value);
    }

    /** What it shares with others, where it may. */
    Optional<Share<?, T>> share() {
        return alone ? Optional.empty() : share;
    }

    /** It is to be served by itself from now on. */
    void goAlone() {
        alone = true;
    }

    /** Is it to be sent once more, its connection having broken? Only what writes nothing, and once. */
    boolean repeats() {
        boolean isFirst = !writes() && !repeated;
        repeated = true;
        return isFirst;
    }
}
