package dev.incumbent.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefreshedTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);

    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final BlockingQueue<CompletableFuture<Value>> asked = new LinkedBlockingQueue<>();
    private final Refreshed<Value> refreshed = new Refreshed<>(
            "incumbent-test-source",
            new Refreshed.Clocks(() -> TimeUnit.MILLISECONDS.toNanos(millis.get()), millis::get),
            this::source,
            Value::endMillis);

    private record Value(String name, long endMillis) {}

    /** Blocks until the test answers. */
    private Value source() {
        CompletableFuture<Value> answer = new CompletableFuture<>();
        asked.add(answer);
        try {
            return answer.get();
        } catch (InterruptedException closed) {
            throw new IllegalStateException("interrupted", closed);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        refreshed.close();
    }

    @Test
    void whoAsksFirstWaitsForTheSource() throws Exception {
        CompletableFuture<Value> first = CompletableFuture.supplyAsync(() -> refreshed.get(LONG));
        Value value = new Value("one", Refreshed.NEVER);

        next().complete(value);

        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(value);
        assertThat(refreshed.get(0)).isEqualTo(value);
        assertThat(asked).isEmpty();
    }

    @Test
    void aSourceThatHangsHoldsUpNobodyWhileTheLastValueIsGood() throws Exception {
        Value value = given("one", millis.get() + HOUR);
        millis.addAndGet(TimeUnit.MINUTES.toMillis(1));

        assertThat(refreshed.get(0)).isEqualTo(value);
        awaitHanging();

        millis.addAndGet(TimeUnit.MINUTES.toMillis(58));
        assertThat(refreshed.get(0)).isEqualTo(value);
        assertThat(asked).as("it is asked once at a time").isEmpty();
    }

    @Test
    void aSourceThatHangsEndsTheWaitInTimeOnceTheLastValueHasEnded() throws Exception {
        given("one", millis.get() + HOUR);
        millis.addAndGet(HOUR - 1);
        refreshed.get(0);
        awaitHanging();
        millis.addAndGet(TimeUnit.SECONDS.toMillis(1));

        assertThatThrownBy(() -> refreshed.get(1))
                .isInstanceOf(Refreshed.LateException.class)
                .hasMessage("has not answered for 1000 ms");
    }

    @Test
    void aNewValueTakesThePlaceOfTheLastBeforeThatEnds() throws Exception {
        given("one", millis.get() + HOUR);
        millis.addAndGet(TimeUnit.MINUTES.toMillis(1));
        refreshed.get(0);

        Value two = new Value("two", millis.get() + HOUR);
        next().complete(two);

        awaitTold(two);
    }

    @Test
    void aSourceThatFailsSpoilsNoValueThatIsGoodAndIsAskedAgain() throws Exception {
        Value one = given("one", millis.get() + HOUR);
        millis.addAndGet(TimeUnit.MINUTES.toMillis(1));
        refreshed.get(0);

        next().completeExceptionally(new IllegalStateException("not now"));

        assertThat(refreshed.get(0)).isEqualTo(one);
        millis.addAndGet(TimeUnit.MINUTES.toMillis(1));
        CompletableFuture<Value> again = askedAgain();
        Value two = new Value("two", Refreshed.NEVER);
        again.complete(two);
        awaitTold(two);
    }

    /** That it was asked is told by for how long it has not answered. */
    @Test
    void theSourceIsAskedOnceAMinute() throws Exception {
        long end = millis.get() + HOUR;
        given("one", end);
        millis.addAndGet(59_999);
        refreshed.get(0);
        millis.addAndGet(1);
        refreshed.get(0);
        awaitHanging();

        assertAskedFor(HOUR - 60_000, end);
    }

    @Test
    void theSourceIsAskedOnceASecondInTheLastMinuteOfAValue() throws Exception {
        long end = millis.get() + HOUR;
        given("one", end);
        millis.set(end - 60_000);
        refreshed.get(0);
        Value again = new Value("again", end);
        next().complete(again);
        awaitTold(again);

        millis.addAndGet(999);
        refreshed.get(0);
        millis.addAndGet(1);
        refreshed.get(0);
        awaitHanging();

        assertAskedFor(59_000, end);
    }

    private void assertAskedFor(long length, long end) {
        millis.set(end);
        assertThatThrownBy(() -> refreshed.get(1))
                .isInstanceOf(Refreshed.LateException.class)
                .hasMessage("has not answered for " + length + " ms");
    }

    @Test
    void whatTheSourceThrowsIsToldToWhoeverWaits() throws Exception {
        CompletableFuture<Value> first = CompletableFuture.supplyAsync(() -> refreshed.get(LONG));

        next().completeExceptionally(new IllegalStateException("nobody knows you"));

        assertThatThrownBy(() -> first.get(60, TimeUnit.SECONDS)).hasRootCauseMessage("nobody knows you");
    }

    @Test
    void closingEndsAWait() throws Exception {
        CompletableFuture<Value> first = CompletableFuture.supplyAsync(() -> refreshed.get(Long.MAX_VALUE));
        awaitHanging();

        refreshed.close();

        assertThatThrownBy(() -> first.get(60, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> refreshed.get(LONG)).isInstanceOf(Refreshed.LateException.class);
    }

    private Value given(String name, long endMillis) throws Exception {
        Value value = new Value(name, endMillis);
        CompletableFuture<Value> first = CompletableFuture.supplyAsync(() -> refreshed.get(LONG));
        next().complete(value);
        return first.get(60, TimeUnit.SECONDS);
    }

    private CompletableFuture<Value> next() throws InterruptedException {
        CompletableFuture<Value> next = asked.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("the source is asked").isNotNull();
        return next;
    }

    /** The source is asked, and nobody answers. */
    private void awaitHanging() throws InterruptedException {
        assertThat(next()).isNotDone();
    }

    /** Its thread may still be at the end of the last time. */
    private CompletableFuture<Value> askedAgain() {
        while (asked.isEmpty()) {
            refreshed.get(0);
            Thread.onSpinWait();
        }
        return asked.remove();
    }

    private void awaitTold(Value value) {
        while (!refreshed.get(0).equals(value)) {
            Thread.onSpinWait();
        }
    }
}
