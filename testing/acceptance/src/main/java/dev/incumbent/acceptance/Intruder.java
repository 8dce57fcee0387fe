package dev.incumbent.acceptance;

import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.FencingToken;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Writes behind the fence without pause, with one token that is over, also where the sink goes away and comes back; counts what becomes of it. Thread-safe. */
final class Intruder implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Ledger ledger;
    private final FencingToken token;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile boolean over;

    Intruder(Ledger ledger, long token) {
        this.ledger = ledger;
        this.token = new FencingToken(token);
        Thread thread = new Thread(this::run, "intruder with token " + token);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!over) {
                writeUntilItBreaks();
                SystemTimeline.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeUntilItBreaks() throws InterruptedException {
        try (Ledger.Pen pen = ledger.pen()) {
            while (!over) {
                write(pen);
                SystemTimeline.sleep(PAUSE);
            }
        } catch (SQLException awayOrNotRaised) {
            // Neither accepted nor stale.
        }
    }

    private void write(Ledger.Pen pen) throws SQLException {
        try {
            pen.write(token, "intruder");
            accepted.incrementAndGet();
        } catch (StaleTokenException stale) {
            refused.incrementAndGet();
        }
    }

    /** How many writes the sink took from it. */
    long accepted() {
        return accepted.get();
    }

    /** How many the sink refused as stale (IF001). */
    long refused() {
        return refused.get();
    }

    @Override
    public void close() {
        over = true;
    }
}
