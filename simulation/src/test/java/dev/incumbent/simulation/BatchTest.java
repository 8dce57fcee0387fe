package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches are the same however they are run, and the corpus holds. */
class BatchTest {
    private static final long BASE = 0x1d3c0de5L;

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
                .isEqualTo("19b2dd8f1d7df16c, 885885 events");
    }

    @Test
    void noFurtherWorldBeginsOnceThereIsNoTime() {
        AtomicLong asked = new AtomicLong();

        Batch.Result result = new Batch(BASE, 1).run(1_000, nanos -> asked.incrementAndGet() > 3, done -> {});

        assertThat(result.seeds()).isEqualTo(3);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("corpus")
    void theCorpusHolds(String line) {
        Ending ending = Worlds.run(Long.parseUnsignedLong(line.substring(2, 18), 16));

        assertThat(ending.violation()).as(ending.replayLine()).isEmpty();
    }

    static List<String> corpus() throws IOException {
        try (InputStream text = Objects.requireNonNull(BatchTest.class.getResourceAsStream("/corpus.txt"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("0x"))
                    .toList();
        }
    }
}
