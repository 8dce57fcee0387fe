package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a server that follows another one knows may be old: it answers no read, and serves once it takes writes. */
@Tag("field")
final class StandbyTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SystemTimeline timeline = new SystemTimeline();

    @AfterEach
    void close() {
        timeline.close();
    }

    @Test
    void aStandbyOfPostgresAnswersNothingAndServesOnceItIsPromoted() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            Revision first;
            try (Coordinator writer = open(server.jdbcUrl(), Mode.CREATE)) {
                first = swapped(writer, Revision.ABSENT, vacant(1));
            }
            server.kill();
            Path signal = Files.createFile(server.folder().resolve("data").resolve("standby.signal"));
            server.startAgain();

            try (Coordinator reader = open(server.jdbcUrl(), Mode.READ_ONLY);
                    Coordinator writer = open(server.jdbcUrl(), Mode.CREATE)) {
                assertAnswersNothing(reader, "it is a standby");
                assertAnswersNothing(writer, "it is a standby");
                assertRefused(writer.swap(ELECTION, first, vacant(2)), "it is a standby");

                assertThat(server.psql("select pg_promote()").strip()).isEqualTo("t");
                assertThat(signal).doesNotExist();
                assertThat(found(reader).revision()).isEqualTo(first);
                swapped(writer, first, vacant(2));
            }
        }
    }

    /** It is asked only what the driver was told: a lagging standby would tell a term that is over. */
    @Test
    @Tag("realtime")
    void aStandbyThatLagsAnswersNothingAndTheNextHostIsAskedInstead() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                Coordinator writer = open(primary.jdbcUrl(), Mode.CREATE)) {
            Revision first = swapped(writer, Revision.ABSENT, vacant(1));
            try (PostgresServer standby = primary.startStandby()) {
                assertThat(standby.psql("select pg_wal_replay_pause()")).isEmpty();
                swapped(writer, first, vacant(2));
                String both = standby.jdbcUrl().replaceFirst("/postgres", ",127.0.0.1:" + primary.port() + "/postgres");

                try (Coordinator reader = open(standby.jdbcUrl(), Mode.READ_ONLY);
                        Coordinator either = open(both, Mode.READ_ONLY)) {
                    assertThat(standby.psql("select record::json->>'term' from incumbent_election"))
                            .isEqualTo("1");
                    assertAnswersNothing(reader, "it is a standby");
                    assertThat(found(either).record().term()).isEqualTo(2);
                }
            }
        }
    }

    @Test
    @Tag("realtime")
    void aMariaDbThatBecomesReadOnlyAnswersNothingUntilItTakesWrites() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertAnswersNothingWhileReadOnly(
                    server.jdbcUrl(),
                    server.jdbcUrl().replace(MariaDbServer.USER, "elector").replace(MariaDbServer.PASSWORD, "hunter4"));
        }
    }

    @Test
    @Tag("realtime")
    void aMySqlThatBecomesReadOnlyAnswersNothingUntilItTakesWrites() throws Exception {
        Servers.assumeMySql();
        try (MySqlServer server = MySqlServer.start()) {
            assertAnswersNothingWhileReadOnly(
                    server.jdbcUrl(),
                    server.jdbcUrl().replace(MySqlServer.USER, "elector").replace(MySqlServer.PASSWORD, "hunter4"));
        }
    }

    /** A planned failover makes the old writer read-only, and cuts no connection. */
    private void assertAnswersNothingWhileReadOnly(String keeper, String elector) throws Exception {
        open(keeper, Mode.CREATE).close();
        execute(keeper, "create user elector@'%' identified by 'hunter4'");
        execute(keeper, "grant select, insert, update, delete on *.* to elector@'%'");
        try (Coordinator client = open(elector, Mode.CREATE);
                Coordinator onlooker = open(elector, Mode.READ_ONLY)) {
            LeaseId lease = granted(client, LEASE).id();
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            assertThat(found(client).revision()).isEqualTo(first);
            assertThat(found(onlooker).revision()).isEqualTo(first);
            execute(keeper, "set global read_only=1");
            assertAnswersNothing(onlooker, "read_only is ON");

            CoordinatorException refused = failure(client.keepAlive(lease));

            assertThat(refused).isNotInstanceOf(CoordinatorUnusableException.class);
            assertThat(refused).hasMessageContaining("takes no writes now");
            assertThat(refused.mayHaveApplied()).isFalse();
            assertAnswersNothing(client, "read_only is ON");
            try (Coordinator late = open(keeper, Mode.CREATE);
                    Coordinator reader = open(elector, Mode.READ_ONLY)) {
                assertAnswersNothing(late, "read_only is ON");
                assertAnswersNothing(reader, "read_only is ON");
            }
            execute(keeper, "set global read_only=0");
            assertThat(found(client).revision()).isEqualTo(first);
            swapped(client, first, vacant(2));
        }
    }

    private static void assertAnswersNothing(Coordinator client, String sign) throws Exception {
        assertRefused(client.read(Set.of(ELECTION)), sign);
        assertRefused(client.candidates(Set.of(ELECTION)), sign);
        assertRefused(client.elections(""), sign);
    }

    private static void assertRefused(CompletionStage<?> call, String sign) throws Exception {
        CoordinatorException refused = failure(call);
        assertThat(refused).isNotInstanceOf(CoordinatorUnusableException.class);
        assertThat(refused)
                .hasMessageContaining("127.0.0.1:")
                .hasMessageEndingWith("takes no writes now (" + sign
                        + "), so its reads may be old; name the server that takes writes")
                .hasMessageNotContaining("hunter");
        assertThat(refused.mayHaveApplied()).isFalse();
    }

    private Coordinator open(String at, Mode mode) {
        return new SqlCoordinatorProvider().open(at, timeline, Duration.ofSeconds(5), mode);
    }

    private static void execute(String at, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(at);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
