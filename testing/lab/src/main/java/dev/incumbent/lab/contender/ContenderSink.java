package dev.incumbent.lab.contender;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The world's sink as the shipped library reaches it from one member. */
final class ContenderSink implements Sink {
    private static final SinkId ID = new SinkId("sink");
    private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

    private final LabMember member;

    ContenderSink(LabMember member) {
        this.member = member;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return CompletableFuture.completedStage(ID);
    }

    @Override
    public String label() {
        return ID.value();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask(() -> member.world().sink().raise(mark));
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return ask(() -> {
            Map<ElectionName, Mark> marks = new TreeMap<>();
            member.world().sink().mark().ifPresent(mark -> elections.forEach(election -> marks.put(election, mark)));
            return MarksRead.of(marks);
        });
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        throw new UnsupportedOperationException("nobody asks the lab's sink for every mark");
    }

    @Override
    public void close() {}

    private <T> CompletionStage<T> ask(Supplier<T> atTheSink) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        member.request(member.world().sinkEndpoint(), MessageKind.WORK, "raise", atTheSink, answer::complete);
        member.after(PATIENCE_NANOS, () -> answer.completeExceptionally(new SinkException(ID + " does not answer")));
        return answer;
    }
}
