package dev.incumbent.internal;

import dev.incumbent.Trace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Runs one candidacy's user code in order, on threads that all candidacies share: whoever blocks delays only its own. What throws is traced, and the next runs.
 * Thread-safe.
 */
public final class Serial {
    private final Executor threads;
    private final Trace trace;
    private final String whose;
    /** Small at first, since one process may have ten thousand. */
    private final Deque<Runnable> waiting = new ArrayDeque<>(1);

    private boolean running;

    public Serial(Executor threads, Trace trace, String whose) {
        this.threads = threads;
        this.trace = trace;
        this.whose = whose;
    }

    public void execute(Runnable piece) {
        synchronized (waiting) {
            waiting.add(piece);
            if (running) {
                return;
            }
            running = true;
        }
        threads.execute(this::runAll);
    }

    private void runAll() {
        for (Optional<Runnable> piece = next(); piece.isPresent(); piece = next()) {
            try {
                piece.get().run();
            } catch (RuntimeException | Error e) {
                trace.failed("a listener of " + whose, e);
            }
        }
    }

    private Optional<Runnable> next() {
        synchronized (waiting) {
            running = !waiting.isEmpty();
            return Optional.ofNullable(waiting.poll());
        }
    }
}
