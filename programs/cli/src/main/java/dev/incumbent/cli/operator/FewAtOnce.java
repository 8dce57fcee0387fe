package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Begins one thing for each of many, a few at once, and tells of each as it ends. Blocks the calling thread.
 *
 * @param begin answers a stage that completes in any case, and never with a failure
 * @param interrupted what is said where the wait is interrupted: nothing more is begun then
 */
record FewAtOnce<T, R>(Function<T, CompletionStage<R>> begin, String interrupted) {
    static final int MOST = 16;

    /** The results, as they came. */
    List<R> of(Collection<T> all, Consumer<R> told) {
        BlockingQueue<R> ended = new LinkedBlockingQueue<>();
        Iterator<T> waiting = all.iterator();
        List<R> results = new ArrayList<>();
        for (int begun = 0; results.size() < all.size(); ) {
            while (begun - results.size() < MOST && waiting.hasNext()) {
                var unused = begin.apply(waiting.next()).thenAccept(ended::add);
                begun++;
            }
            R one = next(ended);
            told.accept(one);
            results.add(one);
        }
        return results;
    }

    private R next(BlockingQueue<R> ended) {
        try {
            return ended.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusal.notSo(interrupted);
        }
    }
}
