package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.calls.Call;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One call of the SPI on its way: the requests that it takes, within one bound. It may have applied if a write was sent, and nobody said that this one has not
 * applied; what only reads may write too, when it buries whoever is overdue.
 */
final class Errand<T> extends Call<T> {
    private final Api api;

    /** Those that were sent, and of which nobody said that they have not applied. Guarded by this. */
    private int writes;

    private Errand(Api api, long boundNanos) {
        super(true, boundNanos);
        this.api = api;
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
        errand.limit(
                (nanos, task) -> timeline.at(nanos, task)::cancel,
                "the API server at " + api.server() + " did not answer in time",
                CoordinatorException::new,
                () -> {});
        CompletionStage<T> unused = errand.reply().whenComplete((value, failure) -> whenEnded.accept(errand));
        errand.work(work);
        return errand;
    }

    private void work(Function<Errand<T>, CompletionStage<T>> work) {
        try {
            CompletionStage<T> unused = work.apply(this).whenComplete((value, failure) -> {
                if (failure == null) {
                    answer(value);
                } else {
                    failBecause(Transport.unwrapped(failure));
                }
            });
        } catch (RuntimeException failure) {
            failBecause(failure);
        }
    }

    private void failBecause(Throwable failure) {
        if (failure instanceof CoordinatorException known) {
            fail(known);
        } else {
            fail(
                    "what the API server at " + api.server() + " answered is not understood: " + failure,
                    (why, mayHaveApplied) -> new CoordinatorException(why, mayHaveApplied, failure));
        }
    }

    /** Ends it without an answer. */
    void abandon(String why) {
        fail(why, CoordinatorException::new);
    }

    /** Asks; completes with whatever was answered, good or bad, or fails as {@link Failures} says. */
    CompletableFuture<Answer> ask(Ask ask) {
        return api.send(ask, this);
    }

    /** To be asked right before a request is sent; false if nobody waits for it any more: then it must not be. */
    synchronized boolean sends(Ask ask) {
        if (!ask.writes()) {
            return !isOver();
        }
        boolean may = writes == 0 ? send() : !isOver();
        writes += may ? 1 : 0;
        return may;
    }

    /** It is known that a write has not applied. */
    synchronized void wasRefused(Ask ask) {
        if (ask.writes() && --writes == 0) {
            takeBack();
        }
    }
}
