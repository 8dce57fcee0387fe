package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many connections of the application's pool a coordinator takes, and what becomes of it where the pool has none. */
@Tag("realtime")
@Timeout(120)
final class LentPoolTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(40);
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final ElectionName JOB = new ElectionName("job");

    private final ServerRig.Place place = Servers.postgres();
    private final SystemTimeline time = new SystemTimeline();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        time.close();
    }

    @Test
    void itTakesSixWhileManyCallsWaitAndKeepsThreeAfterTenSeconds() throws Exception {
        HikariDataSource pool = pool(12);
        Coordinator coordinator = coordinator(pool);
        granted(coordinator, LEASE);
        Hears hears = new Hears();
        coordinator.watch(JOB, hears);
        Waiting.until("the watch tells", () -> hears.isTold);
        assertThat(lent(pool)).as("leases, calls, and the watch").isEqualTo(3);
        List<CompletionStage<Map<ElectionName, Reading>>> waiting = new ArrayList<>();

        try (Connection other = DriverManager.getConnection(place.url().apply(place.port()));
                Statement locking = other.createStatement()) {
            other.setAutoCommit(false);
            locking.execute("lock table incumbent_election in access exclusive mode");
            for (int i = 0; i < 40; i++) {
                waiting.add(coordinator.read(Set.of(new ElectionName("job" + i))));
            }
            Waiting.until("six are lent", () -> lent(pool) == 6);
            Waiting.until("five wait for the lock", () -> waitingForTheLock(other) == 5);
            assertThat(lent(pool)).as("though more calls wait").isEqualTo(6);
            other.rollback();
        }

        for (CompletionStage<Map<ElectionName, Reading>> one : waiting) {
            assertThat(get(one)).hasSize(1);
            assertThat(lent(pool)).isLessThanOrEqualTo(6);
        }
        Waiting.until("three are lent again", () -> lent(pool) == 3);
    }

    @Test
    void whileTheApplicationHoldsAllOthersNoLeaseIsKeptAlive() throws Exception {
        HikariDataSource pool = pool(2);
        LeaseId lease;
        try (Coordinator byUri = new SqlCoordinatorProvider()
                .open(place.url().apply(place.port()), time, REQUEST_TIMEOUT, Mode.CREATE)) {
            lease = granted(byUri, LEASE).id();
        }
        Coordinator coordinator = coordinator(pool);
        assertThat(lent(pool)).as("that of calls").isEqualTo(1);

        try (Connection applications = pool.getConnection()) {
            assertThat(applications.isValid(10)).isTrue();
            CoordinatorException none = failure(coordinator.keepAlive(lease));

            assertThat(none).isNotInstanceOf(CoordinatorUnusableException.class);
            assertThat(none).hasMessageContaining("cannot be reached").hasMessageContaining("not available");
            assertThat(none.mayHaveApplied()).isFalse();
        }

        Asking.await(coordinator.keepAlive(lease));
    }

    private static int lent(HikariDataSource pool) {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    private static int waitingForTheLock(Connection other) {
        try (Statement asking = other.createStatement();
                var row = asking.executeQuery(
                        "select count(*) from pg_locks where not granted and database=(select oid from pg_database"
                                + " where datname=current_database()) and relation='incumbent_election'::regclass")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Coordinator coordinator(HikariDataSource pool) {
        Coordinator coordinator = JdbcCoordinator.over(pool).open(time, REQUEST_TIMEOUT);
        opened.add(coordinator);
        return coordinator;
    }

    private HikariDataSource pool(int most) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(place.url().apply(place.port()));
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(1_000);
        HikariDataSource pool = new HikariDataSource(config);
        opened.add(pool);
        return pool;
    }

    /** Hears that something is told. */
    private static final class Hears implements Watcher {
        private volatile boolean isTold;

        @Override
        public void changed(ObservedRecord record) {
            isTold = true;
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
