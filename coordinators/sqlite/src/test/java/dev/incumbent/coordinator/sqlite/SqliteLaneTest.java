package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.HandRung;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How calls to a file wait, end and are handed back, whatever they do. */
@Timeout(120)
final class SqliteLaneTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private final SystemTimeline real = new SystemTimeline();
    private final HandRung timeline = new HandRung(real);

    @AfterEach
    void close() {
        real.close();
    }

    /** It is told that nothing applied: so nothing may. */
    @Test
    void aCallWhoseTimeRunsOutWhileItsBatchWaitsForTheLockDoesNothing() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        try (SqliteLane lane = lane();
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement locking = other.createStatement()) {
            assertThat(served(lane, "the tables are there")).isNotEmpty();
            locking.execute("begin immediate");
            CompletableFuture<String> late = lane.submit(SqliteCall.Kind.WRITE, tx -> {
                ran.set(true);
                return "ran";
            });
            timeline.awaitLookBy("incumbent-calls");

            timeline.ring();
            locking.execute("rollback");

            assertThat(failure(late).mayHaveApplied()).isFalse();
            assertThat(failure(late)).hasMessage("the coordinator at " + file() + " did not answer in time");
            assertThat(served(lane, "the next")).isEqualTo("the next");
            assertThat(ran).isFalse();
        }
    }

    @Test
    void whereTheFirstOfABatchGivesUpOnTheLockTheOthersAreHandedBackAndServed() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        try (SqliteLane lane = lane();
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement locking = other.createStatement()) {
            assertThat(served(lane, "the tables are there")).isNotEmpty();
            CompletableFuture<String> busy = lane.submit(SqliteCall.Kind.READ, tx -> {
                begun.countDown();
                return waitedFor(queued);
            });
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<String> impatient = lane.submit(SqliteCall.Kind.WRITE, tx -> "never");
            timeline.step(TIMEOUT.dividedBy(2));
            CompletableFuture<String> patient = lane.submit(SqliteCall.Kind.WRITE, tx -> "served");
            locking.execute("begin immediate");
            queued.countDown();
            assertThat(get(busy)).isEqualTo("waited");
            timeline.awaitLookBy("incumbent-calls");

            timeline.step(TIMEOUT.dividedBy(2));

            assertThat(failure(impatient).mayHaveApplied()).isFalse();
            assertThat(failure(impatient)).hasMessageContaining("stayed locked by another process");
            assertThat(patient).isNotDone();
            locking.execute("rollback");
            assertThat(get(patient)).isEqualTo("served");
        }
    }

    @Test
    void aCloseLetsTheBatchUnderWayComeToItsEnd() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        SqliteLane lane = lane();
        CompletableFuture<String> underWay = lane.submit(SqliteCall.Kind.WRITE, tx -> {
            begun.countDown();
            return waitedFor(mayEnd);
        });
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<String> waits = lane.submit(SqliteCall.Kind.WRITE, tx -> "never");

        Thread closes = new Thread(lane::close);
        closes.start();

        CoordinatorException ended = failure(waits);
        assertThat(ended).hasMessage("the coordinator at " + file() + " was closed meanwhile");
        assertThat(ended.mayHaveApplied()).isFalse();
        assertThat(underWay).isNotDone();
        while (closes.isAlive() && closes.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(closes.isAlive()).as("it waits for the batch").isTrue();
        mayEnd.countDown();
        assertThat(get(underWay)).isEqualTo("waited");
        closes.join();
        assertThat(folder.resolve("c.db-wal")).as("of a session that is open").doesNotExist();
        assertThat(failure(lane.submit(SqliteCall.Kind.READ, tx -> "never"))).hasMessageEndingWith("is closed");
    }

    @Test
    void aSessionThatNobodyUsedIsClosed() throws Exception {
        SqliteLane lane = lane();
        lane.open();
        assertThat(folder.resolve("c.db-wal")).exists();

        lane.close();

        assertThat(folder.resolve("c.db-wal")).doesNotExist();
    }

    @Test
    void callsThatWaitTogetherShareATransaction() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        try (SqliteLane lane = lane()) {
            CompletableFuture<String> busy = lane.submit(SqliteCall.Kind.READ, tx -> {
                begun.countDown();
                return waitedFor(queued);
            });
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Tx> one = lane.submit(SqliteCall.Kind.WRITE, tx -> tx);
            CompletableFuture<Tx> other = lane.submit(SqliteCall.Kind.READ, tx -> tx);
            queued.countDown();

            assertThat(get(busy)).isEqualTo("waited");
            assertThat((Object) get(one)).isSameAs(get(other));
        }
    }

    @Test
    void whatIsAwaitedByNobodySpendsNoAlarm() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<String> told = new CompletableFuture<>();
        try (SqliteLane lane = lane()) {
            lane.submit(SqliteCall.Kind.READ, tx -> waitedFor(mayEnd), (answer, failure) -> told.complete(answer));

            assertThat(timeline.alarms()).isZero();
            mayEnd.countDown();
            assertThat(get(told)).isEqualTo("waited");
        }
    }

    @Test
    void workThatFailsUnexpectedlyIsRolledBackAndSpoilsNoLaterCall() throws Exception {
        try (SqliteLane lane = lane()) {
            CoordinatorException failed = failure(lane.submit(SqliteCall.Kind.WRITE, tx -> {
                throw new IllegalStateException("oh");
            }));

            assertThat(failed)
                    .hasMessage("the coordinator at " + file() + " failed: java.lang.IllegalStateException: oh");
            assertThat(failed.mayHaveApplied()).isFalse();
            assertThat(served(lane, "the next")).isEqualTo("the next");
        }
    }

    /** Nobody knows what it had done when it failed. */
    @Test
    void workThatFailsBadlyCostsTheSessionAndSpoilsNoLaterCall() throws Exception {
        try (SqliteLane lane = lane()) {
            CoordinatorException failed = failure(lane.submit(SqliteCall.Kind.WRITE, tx -> {
                throw new AssertionError("oh");
            }));

            assertThat(failed).hasMessageEndingWith(" failed: java.lang.AssertionError: oh");
            assertThat(failed.mayHaveApplied()).isTrue();
            assertThat(served(lane, "the next")).isEqualTo("the next");
        }
    }

    private SqliteLane lane() {
        SqliteStore store = new SqliteStore(file(), Mode.CREATE, TIMEOUT.dividedBy(2), FileSystems::typeOf);
        return new SqliteLane(
                "calls", store, SqliteStore.Durability.DISK, new SqliteLane.Clocks(timeline, Boot.current(), TIMEOUT));
    }

    private static String served(SqliteLane lane, String answer) throws Exception {
        CompletableFuture<String> call = lane.submit(SqliteCall.Kind.WRITE, tx -> answer);
        return get(call);
    }

    private Path file() {
        return folder.resolve("c.db");
    }

    private static String waitedFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "waited";
    }
}
