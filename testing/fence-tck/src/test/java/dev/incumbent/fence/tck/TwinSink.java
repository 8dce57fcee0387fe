package dev.incumbent.fence.tck;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A twin as leaders see it. */
final class TwinSink implements Sink {
    private final TwinRig rig;
    private final TwinStore store;
    private final Duration bound;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    });
    private final Map<ElectionName, Mark> remembered;

    TwinSink(TwinRig rig, Duration bound) {
        this.rig = rig;
        this.store = rig.store();
        this.bound = bound;
        this.remembered = new LinkedHashMap<>(store.marks());
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask(rig::id);
    }

    @Override
    public String label() {
        return "twin";
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask(() -> {
            store.plants().requireReadable(election);
            Raise answer = store.raise(election, mark, bound.toMillis())
                    .orElseThrow(() -> new SinkException("twin gave up raising " + election));
            if (answer instanceof Raise.Raised) {
                remembered.put(election, mark);
            }
            return answer;
        });
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return ask(() -> here().only(elections));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return ask(this::here);
    }

    private MarksRead here() {
        boolean own = store.has(Flaw.REMEMBERS_MARKS_PER_CONNECTION) || store.has(Flaw.STAYS_WITH_THE_OLD_FILE);
        return store.plants().told(own ? remembered : store.marks());
    }

    @Override
    public void close() {
        if (!store.has(Flaw.ANSWERS_WHEN_CLOSED)) {
            worker.shutdownNow();
        }
    }

    private <T> CompletionStage<T> ask(Callable<T> question) {
        var answer = new CompletableFuture<T>();
        if (worker.isShutdown()) {
            answer.completeExceptionally(new SinkException("twin is closed"));
            return answer;
        }
        worker.execute(() -> {
            try {
                answer.complete(question.call());
            } catch (Exception failure) {
                answer.completeExceptionally(failure);
            }
        });
        return answer.orTimeout(1, TimeUnit.HOURS);
    }
}
