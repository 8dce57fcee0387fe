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
    private final Consumer<Call<?>> whenEnded;
    private volatile Timeline.Alarm limit = () -> {};

    Call(boolean writes, Consumer<Call<?>> whenEnded) {
        this.writes = writes;
        this.whenEnded = whenEnded;
    }

    /** Sends it; at the store, what the work throws is an answer, too. */
    void send(Wire wire, Supplier<T> work) {
        carry(wire, () -> wire.toClient(answer(work)));
    }

    /** Sends one whose answer says nothing but that it was done. */
    static void send(Call<Void> call, Wire wire, Runnable work) {
        call.carry(wire, () -> wire.toClient(call.answer(work)));
    }

    /** Ends it then, if nothing else has. */
    void limit(Timeline timeline, long nanos, String why) {
        if (!answer.isDone()) {
            Timeline.Alarm alarm = timeline.at(nanos, () -> abandon(why));
            limit = alarm;
            if (answer.isDone()) {
                alarm.cancel();
            }
        }
    }

    void abandon(String why) {
        if (!answer.isDone()) {
            fail(new CoordinatorException(why, writes));
        }
    }

    /** Ends it before it was sent. */
    void refuse(String why) {
        fail(new CoordinatorException(why, false));
    }

    CompletionStage<T> ended() {
        return answer;
    }

    private void carry(Wire wire, Runnable arrival) {
        try {
            wire.toStore(arrival);
        } catch (CoordinatorException refused) {
            fail(refused);
        }
    }

    private Runnable answer(Supplier<T> work) {
        try {
            T value = work.get();
            return () -> succeed(value);
        } catch (CoordinatorException refused) {
            return () -> fail(refused);
        }
    }

    private Runnable answer(Runnable work) {
        try {
            work.run();
            return this::succeed;
        } catch (CoordinatorException refused) {
            return () -> fail(refused);
        }
    }

    private void succeed() {
        answer.complete(null);
        end();
    }

    private void succeed(T value) {
        answer.complete(value);
        end();
    }

    private void fail(CoordinatorException why) {
        answer.completeExceptionally(why);
        end();
    }

    /** Whoever waited has been told: nothing watches over it any more. */
    private void end() {
        limit.cancel();
        whenEnded.accept(this);
    }
}
