package dev.incumbent.agent.elections;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What one sink says of its marks.
 *
 * @param label the sink's name for people, without credentials
 */
record SinkMarks(SinkId id, String label, MarksRead read) {
    /** Asks all sinks at once. One that does not answer is left out. Never fails. */
    static CompletionStage<List<SinkMarks>> of(List<Sink> sinks, NavigableSet<ElectionName> elections) {
        CompletableFuture<List<SinkMarks>> all = CompletableFuture.completedFuture(List.of());
        for (Sink sink : sinks) {
            all = all.thenCombine(ask(sink, elections), SinkMarks::with);
        }
        return all;
    }

    private static List<SinkMarks> with(List<SinkMarks> some, Optional<SinkMarks> one) {
        List<SinkMarks> more = new ArrayList<>(some);
        one.ifPresent(more::add);
        return more;
    }

    private static CompletionStage<Optional<SinkMarks>> ask(Sink sink, NavigableSet<ElectionName> elections) {
        try {
            return sink.id()
                    .thenCombine(sink.marks(elections), (id, read) -> new SinkMarks(id, sink.label(), read))
                    .handle((marks, failure) -> failure == null ? Optional.of(marks) : Optional.empty());
        } catch (RuntimeException closed) {
            return CompletableFuture.completedStage(Optional.empty());
        }
    }
}
