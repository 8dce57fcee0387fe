package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection of the application's pool that takes no writes may never take any: the pool is not to lend it again. */
@Tag("field")
@Tag("realtime")
@Timeout(120)
final class LentReadOnlyTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 5;

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    /** The default counts for the whole life of a session that begins under it. */
    @Test
    void aPoolThatWasFilledWhileAPostgresWasReadOnlyLendsConnectionsThatTakeWritesSoonAfter() throws Exception {
        String at = at(Servers.postgresCommitting("on", false));
        String database = at.replaceFirst(".*/(place[0-9]+)[?].*", "$1");
        granted(at);
        execute(at, "alter database " + database + " set default_transaction_read_only=on");
        try (HikariDataSource pool = filled(at);
                Coordinator coordinator = JdbcCoordinator.over(pool).open(time, REQUEST_TIMEOUT)) {
            assertThat(failure(coordinator.grant(new CandidateId("ada"), SOON)))
                    .hasMessageContaining("takes no writes now");

            assertThat(Servers.postgresServer()
                            .psql("alter database " + database + " reset default_transaction_read_only"))
                    .isEmpty();

            assertGrantsSoon(coordinator);
        }
    }

    /** Nothing is cut: the pool's connections stay with the old server, and live. */
    @Test
    void aPoolWhoseMariaDbGaveItsPlaceToAnotherLendsConnectionsToThatOneSoonAfter() throws Exception {
        try (MariaDbServer old = ofAnElector();
                MariaDbServer next = ofAnElector();
                TcpProxy address = TcpProxy.to(old.port());
                HikariDataSource pool = filled(MariaDbServer.jdbcUrl(address.port())
                        .replace(MariaDbServer.USER, "elector")
                        .replace(MariaDbServer.PASSWORD, "hunter4"));
                Coordinator coordinator = JdbcCoordinator.over(pool).open(time, REQUEST_TIMEOUT)) {
            assertThat(get(coordinator.grant(new CandidateId("ada"), SOON))).isNotNull();

            assertThat(old.client("set global read_only=1")).isEmpty();
            address.leadNewOnesTo(next.port());

            assertGrantsSoon(coordinator);
        }
    }

    private MariaDbServer ofAnElector() throws Exception {
        MariaDbServer server = MariaDbServer.start();
        granted(server.jdbcUrl());
        assertThat(server.client("create user elector@'%' identified by 'hunter4'; grant select, insert, update, delete"
                        + " on *.* to elector@'%'"))
                .isEmpty();
        return server;
    }

    private static void assertGrantsSoon(Coordinator coordinator) {
        assertThat(Waiting.within(SOON, () -> isGranted(coordinator)))
                .as("a lease is granted within %s", SOON)
                .isTrue();
    }

    private static boolean isGranted(Coordinator coordinator) {
        try {
            return get(coordinator.grant(new CandidateId("ada"), SOON)) != null;
        } catch (Exception refused) {
            return false;
        }
    }

    private void granted(String at) throws Exception {
        try (Coordinator byUri = new SqlCoordinatorProvider().open(at, time, REQUEST_TIMEOUT, Mode.CREATE)) {
            assertThat(get(byUri.grant(new CandidateId("ada"), SOON))).isNotNull();
        }
    }

    private static HikariDataSource filled(String at) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(at);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(5_000);
        HikariDataSource pool = new HikariDataSource(config);
        Waiting.until("its connections", () -> pool.getHikariPoolMXBean().getIdleConnections() == CONNECTIONS);
        return pool;
    }

    private static String at(ServerRig.Place place) {
        return place.url().apply(place.port());
    }

    private static void execute(String at, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(at);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
