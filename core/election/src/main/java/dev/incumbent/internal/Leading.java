package dev.incumbent.internal;

import dev.incumbent.Leadership;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Those who wait until a candidacy leads. They share one future a wait, so that whoever asks again and again leaves nothing behind. Thread-safe.
 *
 * <p>Who asks takes the future first and looks at the present term then; the loop's thread shows a term first and completes the future then: so nobody misses it.
 */
final class Leading {
    private final Supplier<Optional<Leadership>> present;
    private final Object lock = new Object();
    private volatile Optional<CompletableFuture<Leadership>> awaited = Optional.empty();

    Leading(Supplier<Optional<Leadership>> present) {
        this.present = present;
    }

    /** The term it leads, or else the next one that it will. Not for users: what depends on it would run on the loop's thread. */
    CompletableFuture<Leadership> next() {
        CompletableFuture<Leadership> next;
        synchronized (lock) {
            next = awaited.orElseGet(CompletableFuture::new);
            awaited = Optional.of(next);
        }
        return present.get().map(CompletableFuture::completedFuture).orElse(next);
    }

    /** A step was taken. On the loop's thread. */
    void stepped() {
        if (awaited.isPresent()) {
            present.get().ifPresent(led -> taken().ifPresent(next -> next.complete(led)));
        }
    }

    /** It will lead no more. */
    void left(RuntimeException why) {
        taken().ifPresent(next -> next.completeExceptionally(why));
    }

    private Optional<CompletableFuture<Leadership>> taken() {
        synchronized (lock) {
            Optional<CompletableFuture<Leadership>> taken = awaited;
            awaited = Optional.empty();
            return taken;
        }
    }
}
