package dev.incumbent.internal;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.SinkId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * A candidacy on its way to stand: asks its sinks for their ids, again and again until all have told, for without them nobody knows whether it may stand. Owned by
 * the loop's thread.
 *
 * @param guarded its sinks as they were given, and how others are turned off
 * @param runs what would run in its terms
 */
record Opening(CurrentCandidacy candidacy, Safeguards guarded, TermRun.Each runs) {
    /** A step of an opening that may throw. */
    interface Opened extends BiConsumer<Opening, Map<SinkId, Sink>> {}

    /** Calls {@code opened} on the loop's thread once all ids are known; where that throws, or an id is not told, tries again after a while. */
    void begin(Later later, Opened opened) {
        Map<SinkId, Sink> ids = new TreeMap<>();
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (Sink sink : guarded.sinks()) {
            all = all.thenCompose(before -> Calls.of(sink::id)).thenAccept(id -> ids.put(id, sink));
        }
        all.whenComplete((known, failure) -> later.soon(() -> {
            if (failure != null) {
                again(later, opened, "a sink does not tell its id: " + Calls.why(failure));
                return;
            }
            try {
                opened.accept(this, ids);
                candidacy.view().mended(Trouble.Kind.OPENING);
            } catch (RuntimeException | Error e) {
                again(later, opened, "it cannot stand yet: " + Calls.why(e));
            }
        }));
    }

    private void again(Later later, Opened opened, String why) {
        candidacy.view().arose(Trouble.Kind.OPENING, why);
        later.aWhile(() -> begin(later, opened));
    }

    /** Runs things on the loop's thread, where the candidacy still wants to stand. */
    interface Later {
        void soon(Runnable task);

        /** After a request timeout. */
        void aWhile(Runnable task);
    }
}
