package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the writer of the disasters' trial must not overlook. */
class ChronicleTest {
    private static final ElectionName RECORD = new ElectionName("record");

    @TempDir
    Path folder;

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void nothingIsLostWhereNobodyElseWrites() {
        Chronicle chronicle = new Chronicle(client(), RECORD, 0);
        Waiting.until("some numbers", () -> chronicle.acknowledged() > 3);

        chronicle.close();

        assertThat(chronicle.lost()).isEmpty();
    }

    @Test
    void anAcknowledgedNumberThatIsGoneIsFound() {
        Chronicle chronicle = new Chronicle(client(), RECORD, 0);
        Waiting.until("some numbers", () -> chronicle.acknowledged() > 3);

        try (Coordinator other = client()) {
            Waiting.until("an older number in its place", () -> goesBack(other));
            Waiting.until("that it is noticed", () -> !chronicle.lost().isEmpty());
        }

        assertThat(chronicle.lost().get(0)).contains("was acknowledged, and 1 is there");
        chronicle.close();
    }

    /** Also where nothing is there. */
    @Test
    void whoGoesOnAfterANumberMissesItWhereItIsNotThere() {
        Chronicle chronicle = new Chronicle(client(), RECORD, 7);

        Waiting.until("that it is noticed", () -> !chronicle.lost().isEmpty());

        assertThat(chronicle.lost()).containsExactly("number 7 was acknowledged, and 0 is there");
        chronicle.close();
    }

    private boolean goesBack(Coordinator other) {
        Reading reading =
                other.read(Set.of(RECORD)).toCompletableFuture().join().getOrDefault(RECORD, new Reading.Absent());
        ObservedRecord now = ((Reading.Found) reading).record();
        LeaderRecord older = LeaderRecord.EMPTY
                .vacated(1, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
        return other.swap(RECORD, now.revision(), older).toCompletableFuture().join() instanceof Swap.Accepted;
    }

    private Coordinator client() {
        return Coordinators.open("file:" + folder.resolve("c.db"), time, Duration.ofSeconds(10));
    }
}
