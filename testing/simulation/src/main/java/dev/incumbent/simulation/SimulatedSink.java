package dev.incumbent.simulation;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.Timeline;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A sink as one process reaches it, over failing links. */
final class SimulatedSink implements Sink {
    private final World world;
    private final SimulatedProcess process;
    private final SinkModel sink;

    SimulatedSink(World world, SimulatedProcess process, SinkModel sink) {
        this.world = world;
        this.process = process;
        this.sink = sink;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return CompletableFuture.completedStage(sink.id());
    }

    @Override
    public String label() {
        return sink.id().value();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask(() -> sink.raise(election, mark));
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return ask(() -> {
            Map<ElectionName, Mark> marks = new TreeMap<>();
            elections.forEach(election -> sink.mark(election).ifPresent(mark -> marks.put(election, mark)));
            return MarksRead.of(marks);
        });
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        throw new UnsupportedOperationException("nobody asks a world's sink for every mark");
    }

    @Override
    public void close() {}

    /** Its answer, or after a bound its silence; what was asked may still happen there later. */
    private <T> CompletionStage<T> ask(Supplier<T> atTheSink) {
        Node node = process.node();
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!process.isAlive() || node.crashesNow()) {
            return answer;
        }
        if (node.throwsAtCalls()) {
            world.reach(Milestone.SINK_THREW);
            throw new IllegalStateException("a sink that throws at once");
        }
        node.toSinks().carry(() -> {
            T told = atTheSink.get();
            node.fromSinks().carry(() -> node.clock().whenAwake(() -> answerIfAlive(answer, told)));
        });
        return boundedInTime(answer);
    }

    private <T> CompletionStage<T> boundedInTime(CompletableFuture<T> answer) {
        DriftingClock clock = process.node().clock();
        long bound = world.timing().lease().toNanos() / 3;
        Timeline.Alarm limit = clock.at(clock.nanos() + bound, () -> {
            if (process.isAlive()) {
                answer.completeExceptionally(new SinkException(sink.id() + " does not answer"));
            }
        });
        CompletionStage<T> ended = answer;
        ended.whenComplete((told, failure) -> limit.cancel());
        return answer;
    }

    private <T> void answerIfAlive(CompletableFuture<T> answer, T told) {
        if (process.isAlive() && !process.node().isDeafTo(sink)) {
            answer.complete(told);
        }
    }
}
