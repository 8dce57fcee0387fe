package dev.incumbent.coordinator.memory;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One call under way: it ends once, by an answer, by its time running out, or by its connection's end. */
final class Call<T> {
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final boolean writes;

    Call(boolean writes, Consumer<Call<?>> whenEnded) {
        this.writes = writes;
        ended().whenComplete((value, failure) -> whenEnded.accept(this));
    }

    /** Sends it; at the store, what the work throws is an answer, too. */
    void send(Wire wire, Supplier<T> work) {
        try {
            wire.toStore(() -> arrive(wire, work));
        } catch (CoordinatorException refused) {
            answer.completeExceptionally(refused);
        }
    }

    /** Ends it then, if nothing else has. */
    void limit(Timeline timeline, long nanos, String why) {
        if (!answer.isDone()) {
            Timeline.Alarm alarm = timeline.at(nanos, () -> abandon(why));
            ended().whenComplete((value, failure) -> alarm.cancel());
        }
    }

    void abandon(String why) {
        answer.completeExceptionally(new CoordinatorException(why, writes));
    }

    /** Ends it before it was sent. */
    void refuse(String why) {
        answer.completeExceptionally(new CoordinatorException(why, false));
    }

    CompletionStage<T> ended() {
        return answer;
    }

    private void arrive(Wire wire, Supplier<T> work) {
        try {
            T value = work.get();
            wire.toClient(() -> answer.complete(value));
        } catch (CoordinatorException refused) {
            wire.toClient(() -> answer.completeExceptionally(refused));
        }
    }
}
