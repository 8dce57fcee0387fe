package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * The API server as errands use it: so many requests at once and no more, each sent at most once, none for an errand that is over. Thread-safe.
 */
final class Api implements AutoCloseable {
    /** Each takes a connection. */
    private static final int MOST_AT_ONCE = 16;

    private final Transport transport;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Failures failures;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int underWay;

    Api(Transport transport, Timeline timeline, Duration requestTimeout, Failures failures) {
        this.transport = transport;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.failures = failures;
    }

    private record Waiting(Ask ask, Errand<?> errand, CompletableFuture<Answer> answer) {}

    Duration requestTimeout() {
        return requestTimeout;
    }

    String server() {
        return transport.server();
    }

    Failures failures() {
        return failures;
    }

    Transport transport() {
        return transport;
    }

    CompletableFuture<Answer> send(Ask ask, Errand<?> errand) {
        Waiting one = new Waiting(ask, errand, new CompletableFuture<>());
        synchronized (waiting) {
            waiting.add(one);
        }
        goOn();
        return one.answer();
    }

    /** Sends what may be sent. Not recursive for what fails at once: the loop goes on. */
    private void goOn() {
        for (Optional<Waiting> next = next(); next.isPresent(); next = next()) {
            launch(next.get());
        }
    }

    private Optional<Waiting> next() {
        synchronized (waiting) {
            while (underWay < MOST_AT_ONCE) {
                Waiting one = waiting.poll();
                if (one == null) {
                    return Optional.empty();
                }
                if (one.errand().sends(one.ask())) {
                    underWay++;
                    return Optional.of(one);
                }
            }
            return Optional.empty();
        }
    }

    private void launch(Waiting one) {
        Ask ask = one.ask();
        CompletableFuture<Answer> exchange;
        try {
            exchange = transport.send(ask, one.errand().deadlineNanos() - timeline.nanos());
        } catch (RuntimeException failure) {
            exchange = CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<Answer> unused = exchange.whenComplete((answer, failure) -> {
            synchronized (waiting) {
                underWay--;
            }
            settle(one, Optional.ofNullable(answer), Optional.ofNullable(failure));
            goOn();
        });
    }

    private void settle(Waiting one, Optional<Answer> answer, Optional<Throwable> failure) {
        if (answer.isPresent()) {
            if (answer.get().isRefusal()) {
                one.errand().wasRefused(one.ask());
            }
            one.answer().complete(answer.get());
            return;
        }
        CoordinatorException why = failures.ofExchange(one.ask(), failure.orElseThrow());
        if (!why.mayHaveApplied()) {
            one.errand().wasRefused(one.ask());
        }
        one.answer().completeExceptionally(why);
    }

    @Override
    public void close() {
        transport.close();
    }
}
