package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lane answers only for the files that bear the store's names when its work has ended, whenever they were replaced. */
final class AnswerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    private final SystemTimeline timeline = new SystemTimeline();
    private SqliteLane lane;

    @BeforeEach
    void open() {
        SqliteStore store = new SqliteStore(file(), Mode.CREATE, TIMEOUT.dividedBy(2), FileSystems::typeOf);
        lane = new SqliteLane(
                "calls", store, SqliteStore.Durability.DISK, new SqliteLane.Clocks(timeline, Boot.current(), TIMEOUT));
    }

    @AfterEach
    void close() {
        lane.close();
        timeline.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-wal", "-shm"})
    void aWriteIntoAFileDeletedMeanwhileIsNotToldAsAccepted(String suffix) throws Exception {
        CoordinatorException uncertain = failure(lane.submit(SqliteCall.Kind.WRITE, tx -> {
            var swap = Records.swap(tx, ELECTION, Revision.ABSENT, vacant(1));
            delete(suffix);
            return swap;
        }));

        assertThat(uncertain).hasMessageContaining("deleted, moved or replaced");
        assertThat(uncertain.mayHaveApplied()).isTrue();
    }

    @Test
    void aReadOfAFileDeletedMeanwhileReadsTheNewOne() throws Exception {
        get(lane.submit(SqliteCall.Kind.WRITE, tx -> Records.swap(tx, ELECTION, Revision.ABSENT, vacant(1))));
        List<Reading> seen = new ArrayList<>();

        Reading told = get(lane.submit(SqliteCall.Kind.READ, tx -> {
            Reading reading =
                    Records.read(tx, Set.of(ELECTION)).values().iterator().next();
            seen.add(reading);
            if (seen.size() == 1) {
                delete("");
            }
            return reading;
        }));

        assertThat(seen.get(0)).isInstanceOf(Reading.Found.class);
        assertThat(told).isInstanceOf(Reading.Absent.class);
    }

    @Test
    void aKeepAliveOnAFileDeletedMeanwhileIsALostLease() throws Exception {
        LeaseId lease = new LeaseId("L1");

        CompletableFuture<String> kept = lane.submit(
                SqliteCall.Kind.REPEATABLE_WRITE,
                tx -> {
                    delete("");
                    return "kept";
                },
                () -> new LeaseLostException(lease, "replaced"));

        assertThat(failure(kept)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void oneCallThatIsRefusedSpoilsNoOtherOfItsTransaction() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        CompletableFuture<String> first = lane.submit(SqliteCall.Kind.WRITE, tx -> {
            waitFor(queued);
            return "first";
        });
        CompletableFuture<String> refused = lane.submit(SqliteCall.Kind.WRITE, tx -> {
            throw new LeaseLostException(new LeaseId("L1"), "it never was");
        });
        var swapped = lane.submit(
                SqliteCall.Kind.WRITE, tx -> Records.swap(tx, ELECTION, Revision.ABSENT, claim(new LeaseId("L"))));
        queued.countDown();

        assertThat(get(first)).isEqualTo("first");
        assertThat(failure(refused)).isInstanceOf(LeaseLostException.class);
        assertThat(get(swapped)).isInstanceOf(dev.incumbent.coordinator.Swap.Accepted.class);
    }

    @Test
    void aCallThatStillWaitsAtItsDeadlineWasNotApplied() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch late = new CountDownLatch(1);
        CompletableFuture<String> opening = lane.submit(SqliteCall.Kind.WRITE, tx -> "the session is open");
        assertThat(get(opening)).isNotEmpty();
        CompletableFuture<String> stuck = lane.submit(SqliteCall.Kind.WRITE, tx -> {
            begun.countDown();
            waitFor(late);
            return "late";
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<String> behind = lane.submit(SqliteCall.Kind.WRITE, tx -> "never");

        assertThat(failure(stuck).mayHaveApplied()).isTrue();
        assertThat(failure(behind).mayHaveApplied()).isFalse();
        late.countDown();
    }

    private Path file() {
        return folder.resolve("c.db");
    }

    private void delete(String suffix) {
        try {
            Files.delete(folder.resolve("c.db" + suffix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
