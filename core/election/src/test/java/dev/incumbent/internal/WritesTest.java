package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WritesTest {
    private static final int MANY = 10_000;

    @ParameterizedTest(name = "one in {0} microseconds")
    @ValueSource(longs = {50, 500, 2_000})
    void noneOfTenThousandWaitsInTheStoresLineLongerThanTheRequestTimeout(long micros) {
        SlowStore store = new SlowStore(Duration.ofNanos(micros * 1_000));
        Writes writes = writes(store);
        List<Integer> answered = new ArrayList<>();

        for (int i = 0; i < MANY; i++) {
            int number = i;
            writes.swap(() -> store.serve(1, () -> number)).thenAccept(answered::add);
        }
        store.pass(Duration.ofNanos(micros * 1_000 * MANY * 11 / 10).plusSeconds(1));

        assertThat(store.timedOut()).isZero();
        assertThat(answered).hasSize(MANY).isSorted();
    }

    /** A store that serves as fast as that is not slowed down by us: it never runs out of work. */
    @Test
    void aPromptStoreIsKeptBusy() {
        SlowStore store = new SlowStore(Duration.ofNanos(100_000));
        Writes writes = writes(store);

        for (int i = 0; i < MANY; i++) {
            writes.swap(() -> store.serve(1, () -> true));
        }
        store.pass(Duration.ofNanos(100_000L * MANY));

        assertThat(store.served()).isGreaterThan(MANY * 9 / 10);
    }

    @Test
    void whereManyWaitSwapsGoFirst() {
        SlowStore store = new SlowStore(Duration.ofMillis(1));
        Writes writes = writes(store);
        List<String> order = new ArrayList<>();

        for (int i = 0; i < 1_000; i++) {
            writes.other(() -> store.serve(1, () -> order.add("enlisted")));
        }
        writes.swap(() -> store.serve(1, () -> order.add("swapped")));
        store.pass(Duration.ofSeconds(2));

        assertThat(order).hasSize(1_001);
        assertThat(order.indexOf("swapped")).isLessThan(200);
    }

    /** What fails is told, and makes room for what waits. */
    @Test
    void whatIsNotAnsweredHoldsUpNobodyForEver() {
        SlowStore store = new SlowStore(Duration.ofMillis(20));
        Writes writes = writes(store);
        List<String> told = new ArrayList<>();

        for (int i = 0; i < 300; i++) {
            writes.swap(() -> store.serve(1, () -> true))
                    .whenComplete((done, failure) -> told.add(failure == null ? "done" : "failed"));
        }
        store.pass(Duration.ofSeconds(10));

        assertThat(told).hasSize(300).contains("done", "failed");
    }

    @Test
    void noMoreThanAHundredAreUnderWayBeforeTheFirstAnswer() {
        Writes writes = writes(new SlowStore(Duration.ofMillis(1)));
        List<CompletableFuture<Boolean>> sent = new ArrayList<>();

        for (int i = 0; i < 300; i++) {
            writes.swap(() -> {
                sent.add(new CompletableFuture<>());
                return sent.get(sent.size() - 1);
            });
        }

        assertThat(sent).hasSize(100);
    }

    private static Writes writes(SlowStore store) {
        return new Writes(new LeaseClock(store.timeline), SlowStore.PROMPT_NANOS, Runnable::run);
    }
}
