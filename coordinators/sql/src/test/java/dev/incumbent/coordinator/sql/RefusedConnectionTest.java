package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PgBouncer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no further try would change ends the first one, and says why; it is not told as a server that cannot be reached. */
@Tag("field")
final class RefusedConnectionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final SystemTimeline timeline = new SystemTimeline();

    @AfterEach
    void close() {
        timeline.close();
    }

    @ParameterizedTest
    @CsvSource({
        "&sslmode=require, does not support SSL",
        "'&options=-c%20no_such_setting=1', no_such_setting",
        "'&options=-c%20role=no_such_role', no_such_role"
    })
    void whatAPostgresDoesNotOfferIsNamed(String parameter, String named) {
        assertRefused(at(Servers.postgres()) + parameter, "does not offer what is asked of it: ", named);
    }

    @Test
    void aPostgresThatAsksForAPasswordWhereThereIsNoneIsNamed() {
        String without = at(Servers.postgres()).replace("&password=" + PostgresServer.PASSWORD, "");

        assertRefused(without, "does not offer what is asked of it: ", "no password was provided");
    }

    @Test
    void whatAPgBouncerDoesNotKnowIsNamed() {
        assertRefused(
                at(Servers.pooledPostgres()) + "&options=-c%20geqo=off",
                "does not offer what is asked of it: ",
                "unsupported startup parameter: options");
    }

    @Test
    void whomAPgBouncerDoesNotLetInIsToldSo() {
        String at = at(Servers.pooledPostgres());

        assertRefused(at.replace(PostgresServer.PASSWORD, "hunter5"), "refuses user ", "authentication failed");
        assertRefused(
                at.replace("user=" + PostgresServer.USER, "user=nobody"),
                "refuses user nobody: ",
                "authentication failed");
    }

    @Test
    void aDatabaseThatAPgBouncerDoesNotKnowIsNamed() {
        PostgresServer server = Servers.postgresServer();
        try (PgBouncer pooler = PgBouncer.before(server, "postgres")) {
            String at = server.jdbcUrl().replace(":" + server.port() + "/", ":" + pooler.port() + "/");

            assertRefused(at.replace("/postgres?", "/nowhere?"), "has no such database (", "no such database: nowhere");
        }
    }

    /** A pgbouncer with {@code *} knows each database until the server has refused it. */
    @Test
    void aDatabaseThatTheServerBehindAPgBouncerDoesNotHaveIsNamed() {
        String at = at(Servers.pooledPostgres());

        assertRefused(
                at.replaceFirst("(127[^/]*/)[a-z0-9]+", "$1nowhere"),
                "has no such database (",
                "database \"nowhere\" does not exist");
    }

    /** Seen of a MariaDB 10.11.18 with {@code max_connect_errors=1} after a client of another host had sent it what is no login; a client of the same host is never blocked. */
    @Test
    void aHostThatAMariaDbBlocksIsRefusedAsItsUser() {
        SQLException blocked = new SQLException(
                "Host '10.99.7.2' is blocked because of many connection errors; unblock with 'mariadb-admin flush-hosts'",
                "HY000",
                1129);

        assertThat(new MariaDbDialect().meaning(blocked)).isEqualTo(Dialect.Failure.CREDENTIALS);
    }

    @ParameterizedTest
    @CsvSource({
        "'&sessionVariables=no_such_variable=1', no_such_variable",
        "'&sessionVariables=sql_mode=''NO_SUCH_MODE''', NO_SUCH_MODE",
        "'&sessionVariables=max_statement_time=''long''', max_statement_time",
        "'&sessionVariables=version=1', version",
        "'&sessionVariables=character_set_results=no_such_set', no_such_set",
        "'&sessionVariables=collation_connection=no_such_collation', no_such_collation",
        "&sslMode=trust, ssl not enabled in the server"
    })
    void whatAMariaDbDoesNotOfferIsNamed(String parameter, String named) {
        assertRefused(at(Servers.mariaDb()) + parameter, "does not offer what is asked of it: ", named);
    }

    @Test
    void aCertificateThatNobodyTrustsIsNamed() {
        String mySql = at(Servers.mySql());
        assertRefused(
                mySql + "&sslMode=verify-full", "does not offer what is asked of it: ", "Self signed certificates");
        try (ServerCertificate anothers = ServerCertificate.create()) {
            assertRefused(
                    mySql + "&sslMode=verify-ca&serverSslCert=" + anothers.file(),
                    "shows a certificate that is not trusted: ",
                    "");
        }
    }

    @ParameterizedTest
    @CsvSource({";NO_SUCH_SETTING=1, NO_SUCH_SETTING", ";MODE=NoSuchMode, NoSuchMode"})
    void whatAnH2DoesNotOfferIsNamed(String parameter, String named) {
        assertRefused(at(Servers.h2()) + parameter, "does not offer what is asked of it: ", named);
    }

    @Test
    void aPathOfH2ThatIsRelativeIsNamed() {
        assertRefused(
                "jdbc:h2:file:no/such/file;WRITE_DELAY=0",
                "does not offer what is asked of it: ",
                "implicitly relative");
    }

    @Test
    @Tag("trial")
    void aMySqlThatIsOfflineIsTriedAgain() {
        Servers.assumeMySql();
        try (MySqlServer server = MySqlServer.start()) {
            String elector =
                    server.jdbcUrl().replace(MySqlServer.USER, "elector").replace(MySqlServer.PASSWORD, "hunter4");
            assertThat(server.client("create user elector@'%' identified by 'hunter4';"
                            + " grant select, insert, update, delete, create on *.* to elector@'%';"
                            + " set global offline_mode=ON"))
                    .isEmpty();

            assertThat(failureOf(elector))
                    .isNotInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("takes no more connections now")
                    .hasMessageContaining("offline mode");
        }
    }

    /** Each by a user who may do anything else. The last step leaves nobody who may come from here. */
    @Test
    @Tag("trial")
    void whomAMariaDbDoesNotLetInIsToldSoAndWhy() {
        try (MariaDbServer server = MariaDbServer.start()) {
            run(server, "create user elector@'%' identified by 'hunter4'");
            run(server, "grant all on *.* to elector@'%'");
            String at =
                    server.jdbcUrl().replace(MariaDbServer.USER, "elector").replace(MariaDbServer.PASSWORD, "hunter4");
            open(at).close();

            run(server, "alter user elector@'%' account lock");
            assertRefused(at, "refuses user elector: ", "account is locked");
            run(server, "alter user elector@'%' account unlock password expire");
            assertRefused(at, "refuses user elector: ", "must");
            run(server, "alter user elector@'%' identified by 'hunter4'");
            open(at).close();
            run(server, "set global max_password_errors=1");
            assertRefused(at.replace("hunter4", "hunter5"), "refuses user elector: ", "Access denied");
            assertRefused(at, "refuses user elector: ", "too many");
            run(
                    server,
                    "set global max_password_errors=100; update mysql.global_priv"
                            + " set priv=json_set(priv, '$.plugin', 'no_such_plugin') where user='elector';"
                            + " flush privileges");
            assertRefused(at, "refuses user elector: ", "no_such_plugin");
            run(server, "delete from mysql.global_priv where host in ('%', '127.0.0.1'); flush privileges");
            assertRefused(at, "refuses user elector: ", "not allowed to connect");
        }
    }

    /** Its keys have at most 767 bytes there, unless a table says otherwise. */
    @Test
    @Tag("trial")
    void aMariaDbWhoseTablesAreCompactByDefaultServes() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(List.of("innodb-default-row-format=compact"), Map.of());
                Coordinator client = open(server.jdbcUrl())) {
            swapped(client, Revision.ABSENT, vacant(1));
        }
    }

    /** It was ended before the statement came, which so did nothing. */
    @Test
    @Tag("realtime")
    void aSessionThatAPostgresEndedForItsIdlenessAppliedNothing() throws Exception {
        ServerRig.Place place = Servers.postgres();
        try (Coordinator client = open(at(place) + "&options=-c%20idle_session_timeout=500ms")) {
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            SystemTimeline.sleep(Duration.ofMillis(1_500));

            CoordinatorException ended = failure(client.swap(ELECTION, first, vacant(2)));

            assertThat(ended).hasMessageContaining("idle-session timeout");
            assertThat(ended.mayHaveApplied()).isFalse();
            swapped(client, first, vacant(2));
        }
    }

    private void assertRefused(String at, String how, String why) {
        assertThat(failureOf(at))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(how)
                .hasMessageContaining(why)
                .hasMessageNotContaining("hunter");
    }

    private Throwable failureOf(String at) {
        try (Coordinator opened = open(at)) {
            return failure(opened.read(Set.of(ELECTION)));
        } catch (Exception refused) {
            return refused;
        }
    }

    private static void run(MariaDbServer server, String sql) {
        assertThat(server.client(sql)).isEmpty();
    }

    private static String at(ServerRig.Place place) {
        return place.url().apply(place.port());
    }

    private Coordinator open(String at) {
        return new SqlCoordinatorProvider().open(at, timeline, TIMEOUT, Mode.CREATE);
    }
}
