package dev.incumbent;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A sink behind a wire of its own, which may be cut, or keep raises back until they are let go. */
final class CutSink implements Sink {
    private final Sink sink;
    private final List<Runnable> keptBack = new ArrayList<>();
    private boolean cut;
    private boolean keepsRaises;

    CutSink(Sink sink) {
        this.sink = sink;
    }

    void cut() {
        cut = true;
    }

    void heal() {
        cut = false;
        keepsRaises = false;
    }

    /** From now on raises are under way and are not answered. */
    void keepRaises() {
        keepsRaises = true;
    }

    /** What was kept back arrives. */
    void letRaisesGo() {
        keepsRaises = false;
        keptBack.forEach(Runnable::run);
        keptBack.clear();
    }

    int raisesKept() {
        return keptBack.size();
    }

    @Override
    public CompletionStage<SinkId> id() {
        return cut ? notReached() : sink.id();
    }

    @Override
    public String label() {
        return sink.label();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        if (cut) {
            return notReached();
        }
        if (!keepsRaises) {
            return sink.raise(election, mark);
        }
        CompletableFuture<Raise> answer = new CompletableFuture<>();
        keptBack.add(() -> sink.raise(election, mark).whenComplete((raise, failure) -> answer.complete(raise)));
        return answer;
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return cut ? notReached() : sink.marks(elections);
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return cut ? notReached() : sink.marks();
    }

    @Override
    public void close() {
        sink.close();
    }

    private <T> CompletionStage<T> notReached() {
        return CompletableFuture.failedFuture(new SinkException(label() + " is not reached"));
    }
}
