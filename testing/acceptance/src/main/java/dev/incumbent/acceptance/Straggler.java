package dev.incumbent.acceptance;

import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.FencingToken;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Goes on writing with the tokens of terms that are over, behind the fence, until a successor's raise shuts them out: what a leader would do that does not know yet. What is accepted before
 * that raise is in order all the same.
 */
final class Straggler implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(40);
    private static final int REFUSALS_EACH = 3;

    private final Ledger ledger;
    private final Deque<Late> tokens = new ArrayDeque<>();
    private final Thread thread = new Thread(this::run, "straggler");
    private volatile boolean over;

    Straggler(Ledger ledger) {
        this.ledger = ledger;
        thread.setDaemon(true);
        thread.start();
    }

    private record Late(FencingToken token, int refusals) {}

    /** That term is over. */
    synchronized void inherits(FencingToken token) {
        tokens.add(new Late(token, 0));
    }

    /** By another connection where one broke: sinks go away and come back. */
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
                Optional<Late> next = next();
                if (next.isPresent()) {
                    writes(pen, next.get());
                }
                SystemTimeline.sleep(PAUSE);
            }
        } catch (SQLException awayOrNotRaised) {
            // The token that was tried is forgotten; there will be others.
        }
    }

    private synchronized Optional<Late> next() {
        return Optional.ofNullable(tokens.poll());
    }

    private void writes(Ledger.Pen pen, Late late) throws SQLException {
        int refusals = late.refusals();
        try {
            pen.write(late.token(), "straggler");
        } catch (StaleTokenException refused) {
            refusals++;
        }
        if (refusals < REFUSALS_EACH) {
            again(new Late(late.token(), refusals));
        }
    }

    private synchronized void again(Late late) {
        tokens.add(late);
    }

    @Override
    public void close() {
        over = true;
    }
}
