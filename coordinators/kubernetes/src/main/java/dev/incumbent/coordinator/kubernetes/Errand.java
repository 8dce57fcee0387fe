package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One call of the SPI on its way: the requests that it takes, within one bound. Its reply is completed once, by the last answer or at the bound,
 * and then says whether a write may have applied.
 */
final class Errand<T> {
    private final Api api;
    private final long boundNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();

    /** Writes that were sent, and of which nobody said that they have not applied. */
    private final AtomicInteger writes = new AtomicInteger();

    private Errand(Api api, long boundNanos) {
        this.api = api;
        this.boundNanos = boundNanos;
    }

    /** Runs it; {@code whenBegun} and {@code whenEnded} hear that it is under way, and that it is over. */
    static <T> Errand<T> begin(
            Api api,
            Timeline timeline,
            Function<Errand<T>, CompletionStage<T>> work,
            Consumer<Errand<?>> whenBegun,
            Consumer<Errand<?>> whenEnded) {
        Errand<T> errand =
                new Errand<>(api, timeline.nanos() + api.requestTimeout().toNanos());
        whenBegun.accept(errand);
        Timeline.Alarm alarm = timeline.at(
                errand.boundNanos,
                () -> errand.abandon("the API server at " + api.server() + " did not answer in time"));
        CompletionStage<T> unused = errand.reply.whenComplete((value, failure) -> {
            alarm.cancel();
            whenEnded.accept(errand);
        });
        errand.work(work);
        return errand;
    }

    private void work(Function<Errand<T>, CompletionStage<T>> work) {
        try {
            CompletionStage<T> unused = work.apply(this).whenComplete((value, failure) -> {
                if (failure == null) {
                    reply.complete(value);
                } else {
                    fail(Transport.unwrapped(failure));
                }
            });
        } catch (RuntimeException failure) {
            fail(failure);
        }
    }

    private void fail(Throwable failure) {
        boolean known = failure instanceof CoordinatorException;
        reply.completeExceptionally(
                known
                        ? failure
                        : new CoordinatorException(
                                "what the API server at " + api.server() + " answered is not understood: " + failure,
                                mayHaveApplied(),
                                failure));
    }

    CompletionStage<T> reply() {
        return reply;
    }

    long boundNanos() {
        return boundNanos;
    }

    boolean isOver() {
        return reply.isDone();
    }

    /** Ends it without an answer. */
    void abandon(String why) {
        if (!reply.isDone()) {
            reply.completeExceptionally(new CoordinatorException(why, mayHaveApplied()));
        }
    }

    private boolean mayHaveApplied() {
        return writes.get() > 0;
    }

    /** Asks; completes with whatever was answered, good or bad, or fails as {@link Failures} says. */
    CompletableFuture<Answer> ask(Ask ask) {
        return api.send(ask, this);
    }

    /** A write leaves. */
    void sends(Ask ask) {
        writes.addAndGet(ask.writes() ? 1 : 0);
    }

    /** It is known that a write has not applied. */
    void wasRefused(Ask ask) {
        writes.addAndGet(ask.writes() ? -1 : 0);
    }
}
