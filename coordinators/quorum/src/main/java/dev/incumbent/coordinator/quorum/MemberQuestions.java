package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Asks how many members vote. That is asked rarely, so each question has a thread of its own, which ends with it. Thread-safe. */
final class MemberQuestions implements AutoCloseable {
    private final QuorumUri at;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Set<CompletableFuture<OptionalInt>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    MemberQuestions(QuorumUri at, Timeline timeline, Duration requestTimeout) {
        this.at = at;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
    }

    /** As the node that leads tells, or any where none does; there within the time of a request. Where nobody answers it fails with a {@link CoordinatorException}. */
    CompletableFuture<OptionalInt> ask() {
        CompletableFuture<OptionalInt> answer = new CompletableFuture<>();
        open.add(answer);
        Timeline.Alarm late =
                timeline.at(timeline.nanos() + requestTimeout.toNanos(), () -> fail(answer, "did not answer in time"));
        CompletableFuture<?> unused = answer.whenComplete((members, failure) -> {
            late.cancel();
            open.removeIf(one -> one == answer);
        });
        if (closed) {
            fail(answer, "was closed");
            return answer;
        }
        Thread thread = new Thread(null, () -> answer(answer), "incumbent-quorum-members", Messenger.STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        return answer;
    }

    private void answer(CompletableFuture<OptionalInt> answer) {
        try {
            answer.complete(OptionalInt.of(QuorumServers.of(at, timeline)
                    .members(requestTimeout)
                    .at("members")
                    .items()
                    .size()));
        } catch (CoordinatorException failure) {
            answer.completeExceptionally(failure);
        } catch (RuntimeException notUnderstood) {
            fail(answer, "tells of its members what is not understood: " + notUnderstood);
        }
    }

    private void fail(CompletableFuture<OptionalInt> answer, String why) {
        answer.completeExceptionally(new CoordinatorException("the coordinator " + at.label() + " " + why, false));
    }

    /** Ends the questions that are open. */
    @Override
    public void close() {
        closed = true;
        open.forEach(answer -> fail(answer, "was closed meanwhile"));
    }
}
