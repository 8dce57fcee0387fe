package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.List;
import java.util.function.Consumer;

/** One watch: lets through what is later than what it told. Told by the watching thread alone; may be closed by any. */
final class OneWatch implements Watch {
    private static final long NOTHING_TOLD = -1;

    private final ElectionName election;
    private final Watcher watcher;
    private final Consumer<OneWatch> whenClosed;
    private long position = NOTHING_TOLD;
    private boolean isCut;
    private volatile boolean closed;

    OneWatch(ElectionName election, Watcher watcher, Consumer<OneWatch> whenClosed) {
        this.election = election;
        this.watcher = watcher;
        this.whenClosed = whenClosed;
    }

    ElectionName election() {
        return election;
    }

    /** The state at a position; none of a record where nothing was ever written. */
    void tell(long at, List<Told> told) {
        if (at <= position) {
            return;
        }
        position = at;
        if (told.isEmpty()) {
            call(() -> watcher.changed(ObservedRecord.ABSENT));
            return;
        }
        try {
            ObservedRecord observed = told.get(0).observed();
            call(() -> watcher.changed(observed));
        } catch (UnreadableRecordException unreadable) {
            call(watcher::gap);
        }
    }

    /** All that was told up to here is current as of then. */
    void proveCurrentAsOf(long sentAtNanos) {
        isCut = false;
        if (position != NOTHING_TOLD) {
            call(() -> watcher.currentAsOf(sentAtNanos));
        }
    }

    /** Nobody answers: told once, until somebody does. */
    void cut() {
        if (!isCut) {
            isCut = true;
            call(watcher::gap);
        }
    }

    /** The store went back: its positions begin anew. */
    void restored() {
        position = NOTHING_TOLD;
        call(watcher::gap);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            whenClosed.accept(this);
        }
    }

    /** Ends it without telling anybody. */
    void silence() {
        closed = true;
    }

    /** A watcher that throws is told to its thread's handler, and keeps nobody else from being told. */
    private void call(Runnable telling) {
        if (closed) {
            return;
        }
        try {
            telling.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
