package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Worlds are deterministic, and batches are the same however they are run. */
class BatchTest {
    private static final long BASE = 0x1d3c0de5L;

    @Test
    void theSameSeedHasTheSameHistory() {
        for (long seed = 1; seed <= 20; seed++) {
            Ending once = Worlds.run(seed);
            Ending again = Worlds.run(seed);

            assertThat(again.hash()).as("seed %s", seed).isEqualTo(once.hash());
            assertThat(again.events()).isEqualTo(once.events());
        }
    }

    @Test
    void aBatchIsTheSameOnAnyNumberOfThreads() {
        Batch.Result alone = new Batch(BASE, 1).run(40);
        Batch.Result together = new Batch(BASE, 3).run(40);

        assertThat(together).isEqualTo(alone);
        assertThat(alone.seeds()).isEqualTo(40);
        assertThat(alone.violations()).isEmpty();
    }

    /** Asserted as a constant, so that every version of Java has to agree with every other one. */
    @Test
    void fiftySeedsHaveTheOneHistoryThatTheyHaveEverywhere() {
        Batch.Result result = new Batch(BASE, Runtime.getRuntime().availableProcessors()).run(50);

        assertThat("%016x, %d events".formatted(result.hash(), result.events()))
                .isEqualTo("ad04b5322407122f, 508200 events");
    }

    @Test
    void noFurtherWorldBeginsOnceThereIsNoTime() {
        AtomicLong asked = new AtomicLong();

        Batch.Result result = new Batch(BASE, 1).run(1_000, nanos -> asked.incrementAndGet() > 3, done -> {});

        assertThat(result.seeds()).isEqualTo(3);
    }
}
