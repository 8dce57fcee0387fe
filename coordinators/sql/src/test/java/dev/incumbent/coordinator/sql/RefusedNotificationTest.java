package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A notification that PostgreSQL does not take costs no swap. Here a stranger's commit, which notifies somebody, waits for a standby that does not apply it: until then nobody else in the
 * whole server notifies anybody. A queue that is full refuses in the same place, and would take eight gigabytes to fill.
 */
@Tag("field")
@Tag("realtime")
final class RefusedNotificationTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private final SystemTimeline timeline = new SystemTimeline();
    private final Logger logger = Logger.getLogger("dev.incumbent.coordinator.sql");
    private final LogLines log = new LogLines();

    @BeforeEach
    void listen() {
        logger.addHandler(log);
    }

    @AfterEach
    void close() {
        logger.removeHandler(log);
        timeline.close();
    }

    @Test
    void aSwapIsDoneThoughNobodyCanBeNotifiedOfIt() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                Coordinator client = open(primary);
                Coordinator other = open(primary);
                PostgresServer standby = primary.startStandby();
                Connection stranger = DriverManager.getConnection(primary.jdbcUrl())) {
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            LastTerm lastTerm = new LastTerm();
            other.watch(ELECTION, lastTerm);
            Waiting.until("the watch tells", () -> lastTerm.term == 1);
            primary.waitForAStandby();
            applyNothing(standby);
            CompletableFuture<Void> commit = notifyAndCommit(stranger);
            Waiting.until(
                    "the stranger's wait",
                    () -> primary.psql("select count(*) from pg_stat_activity where wait_event='SyncRep'")
                            .equals("1"));

            Revision second = swapped(client, first, vacant(2));

            Waiting.until("the watch asks by itself", () -> lastTerm.term == 2);
            Waiting.until("a word of it", () -> log.lines.size() == 1);
            Revision third = swapped(client, second, vacant(3));
            SystemTimeline.sleep(TIMEOUT);
            assertThat(log.lines).hasSize(1);
            assertThat(log.lines.get(0))
                    .startsWith("WARNING the coordinator postgresql://127.0.0.1:" + primary.port())
                    .contains("notifies nobody of swaps")
                    .doesNotContain("hunter");
            assertThat(commit).isNotDone();

            assertThat(standby.psql("select pg_wal_replay_resume()")).isEmpty();
            commit.join();
            swapped(client, third, vacant(4));
            Waiting.until("a word of its end", () -> log.lines.size() == 2);
            assertThat(log.lines.get(1)).startsWith("INFO ").endsWith("notifies of swaps again");
            assertThat(found(other).record().term()).isEqualTo(4);
        }
    }

    private static void applyNothing(PostgresServer standby) {
        assertThat(standby.psql("select pg_wal_replay_pause()")).isEmpty();
        Waiting.until(
                "the pause",
                () -> standby.psql("select pg_get_wal_replay_pause_state()").equals("paused"));
    }

    /** Its commit waits until the standby has applied it; ours wait until it has them on its disk. */
    private static CompletableFuture<Void> notifyAndCommit(Connection stranger) throws SQLException {
        stranger.setAutoCommit(false);
        try (Statement statement = stranger.createStatement()) {
            statement.execute("set synchronous_commit=remote_apply");
            statement.execute("create table theirs as select 1 as one");
            statement.execute("select pg_notify('theirs', 'one')");
        }
        return CompletableFuture.runAsync(() -> {
            try {
                stranger.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Coordinator open(PostgresServer server) {
        return new SqlCoordinatorProvider().open(server.jdbcUrl(), timeline, TIMEOUT, Mode.CREATE);
    }

    private static final class LastTerm implements Watcher {
        private volatile long term;

        @Override
        public void changed(ObservedRecord record) {
            term = record.record().term();
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    /** The lines of a log, each with its level. */
    private static final class LogLines extends Handler {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
