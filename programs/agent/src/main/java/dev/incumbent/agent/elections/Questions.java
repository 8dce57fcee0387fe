package dev.incumbent.agent.elections;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What programs ask the coordinator, a few at a time: the agent's own calls, which prove its terms, may share a queue with them. Thread-safe.
 */
final class Questions {
    private final Strand strand;
    private final int most;
    // Touched by the strand alone.
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int underWay;

    Questions(Strand strand, int most) {
        this.strand = strand;
        this.most = most;
    }

    /** Asks, now or in turn. A question that throws at once fails its stage. */
    <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        strand.execute(() -> {
            waiting.add(() -> begin(question, answer));
            next();
        });
        return answer.minimalCompletionStage();
    }

    private void next() {
        while (underWay < most && !waiting.isEmpty()) {
            underWay++;
            waiting.remove().run();
        }
    }

    private <T> void begin(Supplier<CompletionStage<T>> question, CompletableFuture<T> answer) {
        try {
            question.get().whenComplete((value, failure) -> end(answer, value, failure));
        } catch (RuntimeException | Error refused) {
            answer.completeExceptionally(refused);
            strand.execute(this::ended);
        }
    }

    private <T> void end(CompletableFuture<T> answer, T value, Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
        strand.execute(this::ended);
    }

    private void ended() {
        underWay--;
        next();
    }
}
