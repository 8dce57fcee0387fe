package dev.incumbent.internal;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** What was opened for some elections alone: closed once, when they have ended. Thread-safe. */
public final class Ownership {
    /** Of nothing: what they use is somebody else's. */
    public static final Ownership NONE = new Ownership(() -> {});

    private final Runnable close;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    public Ownership(Runnable close) {
        this.close = close;
    }

    /** That stage, which completes after what is owned is closed. */
    public <T> CompletionStage<T> closedAfter(CompletionStage<T> ended) {
        return ended.thenApply(result -> {
            closeOnce();
            return result;
        });
    }

    private void closeOnce() {
        if (isClosed.compareAndSet(false, true)) {
            close.run();
        }
    }
}
