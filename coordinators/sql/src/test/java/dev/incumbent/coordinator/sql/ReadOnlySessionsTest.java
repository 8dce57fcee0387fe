package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session that takes no writes may never take any: what is asked next goes over another one. */
@Tag("field")
@Tag("realtime")
final class ReadOnlySessionsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final CandidateId OWNER = new CandidateId("bob@host-2-y");

    private final SystemTimeline timeline = new SystemTimeline();

    @AfterEach
    void close() {
        timeline.close();
    }

    /** The default counts for the whole life of a session that begins under it. Nobody but the watch writes here. */
    @Test
    void aWatchWhoseSessionBeganReadOnlyMarksALeaseDeadOnceTheDatabaseTakesWrites() throws Exception {
        ServerRig.Place place = Servers.postgresCommitting("on", false);
        String at = place.url().apply(place.port());
        String database = at.replaceFirst(".*/(place[0-9]+)[?].*", "$1");
        try (Coordinator holder = open(at);
                Coordinator observer = open(at + "&ApplicationName=observer");
                Connection eye = DriverManager.getConnection(at)) {
            LeaseId lease = granted(holder, LEASE).id();
            swapped(holder, Revision.ABSENT, claim(lease));
            Hears hears = new Hears();
            observer.watch(ELECTION, hears);
            Waiting.until("the watch tells", () -> hears.leads);

            execute(eye, "alter database " + database + " set default_transaction_read_only=on");
            execute(eye, "select pg_terminate_backend(pid) from pg_stat_activity where application_name='observer'");
            SystemTimeline.sleep(LEASE.multipliedBy(2));
            assertThat(hears.leads).as("though its time is over").isTrue();
            execute(eye, "alter database " + database + " reset default_transaction_read_only");

            assertThat(Waiting.within(LEASE.multipliedBy(2), () -> !hears.leads))
                    .as("it is told dead")
                    .isTrue();
        }
    }

    @Test
    void aSessionOfMariaDbThatBeganReadOnlyIsNotKept() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertReadOnlySessionIsNotKept(server.jdbcUrl(), server::client, "tx_read_only");
        }
    }

    @Test
    void aSessionOfMySqlThatBeganReadOnlyIsNotKept() throws Exception {
        Servers.assumeMySql();
        try (MySqlServer server = MySqlServer.start()) {
            assertReadOnlySessionIsNotKept(server.jdbcUrl(), server::client, "transaction_read_only");
        }
    }

    @Test
    void aDatabaseOfMySqlThatIsReadOnlyTakesWritesLater() throws Exception {
        Servers.assumeMySql();
        try (MySqlServer server = MySqlServer.start();
                Coordinator client = open(server.jdbcUrl())) {
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            assertThat(server.client("alter schema " + MySqlServer.DATABASE + " read only=1"))
                    .isEmpty();
            CoordinatorException refused = failure(client.swap(ELECTION, first, vacant(2)));
            assertThat(refused).hasMessageContaining("takes no writes now");
            assertThat(refused.mayHaveApplied()).isFalse();

            assertThat(server.client("alter schema " + MySqlServer.DATABASE + " read only=0"))
                    .isEmpty();
            swapped(client, first, vacant(2));
        }
    }

    private void assertReadOnlySessionIsNotKept(String at, UnaryOperator<String> client, String setting)
            throws Exception {
        try (Coordinator install = open(at)) {
            Revision first = swapped(install, Revision.ABSENT, vacant(1));
            assertThat(client.apply("set global " + setting + "=1")).isEmpty();
            try (Coordinator late = open(at)) {
                assertThat(failure(late.swap(ELECTION, first, vacant(2)))).hasMessageContaining("takes no writes now");
                assertThat(failure(late.grant(OWNER, LEASE))).hasMessageContaining("takes no writes now");
                assertThat(client.apply("set global " + setting + "=0")).isEmpty();

                granted(late, LEASE);
                swapped(late, first, vacant(2));
            }
        }
    }

    /** Nobody else would know: the server that comes after it has counted its leases since it heard of them last. */
    @Test
    void aMariaDbThatIsMadeReadOnlyAcknowledgesToItsAdministratorNothingOverASessionThatIsThere() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertNothingIsAcknowledged(server.jdbcUrl(), server::client);
        }
    }

    @Test
    void aMySqlThatIsMadeReadOnlyAcknowledgesToItsAdministratorNothingOverASessionThatIsThere() throws Exception {
        Servers.assumeMySql();
        try (MySqlServer server = MySqlServer.start()) {
            assertNothingIsAcknowledged(server.jdbcUrl(), server::client);
        }
    }

    private void assertNothingIsAcknowledged(String at, UnaryOperator<String> client) throws Exception {
        ElectionName other = new ElectionName("other");
        try (Coordinator keeping = open(at);
                Coordinator swapping = open(at);
                Coordinator creating = open(at)) {
            LeaseId lease = granted(keeping, Duration.ofMinutes(1)).id();
            Revision first = swapped(swapping, Revision.ABSENT, claim(lease));
            assertThat(Asking.reading(creating)).isNotNull();
            String written = client.apply("select expires_us from incumbent_lease");

            assertThat(client.apply("set global read_only=1")).isEmpty();

            SoftAssertions softly = new SoftAssertions();
            assertRefused(softly, "a keep-alive", keeping.keepAlive(lease));
            assertRefused(softly, "a swap", swapping.swap(ELECTION, first, vacant(2)));
            assertRefused(softly, "a first record", creating.swap(other, Revision.ABSENT, vacant(1)));
            softly.assertAll();
            assertThat(client.apply("select expires_us from incumbent_lease")).isEqualTo(written);
            assertThat(client.apply("select name from incumbent_election")).isEqualTo(ELECTION.value());
            assertThat(client.apply("set global read_only=0")).isEmpty();
            String kept = Asking.get(keeping.keepAlive(lease).thenApply(done -> "kept"));
            assertThat(kept).isEqualTo("kept");
            swapped(swapping, first, vacant(2));
            assertThat(Asking.get(creating.swap(other, Revision.ABSENT, vacant(1))))
                    .isInstanceOf(Swap.Accepted.class);
        }
    }

    private static void assertRefused(SoftAssertions softly, String what, CompletionStage<?> call) throws Exception {
        CoordinatorException refused = failure(call);
        softly.assertThat(refused).as(what).hasMessageContaining("takes no writes now (read_only is ON)");
        softly.assertThat(refused.mayHaveApplied()).as(what).isFalse();
    }

    /** One address leads to the old server first, then to the new one; no connection is cut. */
    @Test
    void whoElectsOverAMariaDbGoesOnToTheServerThatAPlannedSwitchoverNames() throws Exception {
        try (MariaDbServer old = MariaDbServer.start(List.of("log-bin=log", "server-id=1"), Map.of());
                MariaDbServer next = MariaDbServer.start(List.of("log-bin=log", "server-id=2"), Map.of());
                TcpProxy address = TcpProxy.to(old.port())) {
            follow(old, next);
            open(old.jdbcUrl()).close();
            Waiting.until(
                    "its tables",
                    () -> !next.client("show tables like 'incumbent_candidate'").isEmpty());
            run(old, "create user elector@'%' identified by 'hunter4'");
            run(old, "grant select, insert, update, delete on *.* to elector@'%'");
            String at = MariaDbServer.jdbcUrl(address.port())
                    .replace(MariaDbServer.USER, "elector")
                    .replace(MariaDbServer.PASSWORD, "hunter4");
            try (Coordinator adas = open(at);
                    Coordinator bobs = open(at);
                    Elections ada = elections(adas, "ada");
                    Elections bob = elections(bobs, "bob");
                    Candidacy first = ada.election(ELECTION.value()).campaign();
                    Candidacy second = bob.election(ELECTION.value()).campaign()) {
                Waiting.until("a leader", () -> leads(first) || leads(second));

                run(old, "set global read_only=1");
                String written = old.client("select max(expires_us) from incumbent_lease");
                Waiting.until(
                        "the new server has it",
                        () -> next.client("select max(expires_us) from incumbent_lease")
                                .equals(written));
                run(next, "stop slave");
                address.leadNewOnesTo(next.port());

                Waiting.until(
                        "a renewal",
                        () -> !next.client("select max(expires_us) from incumbent_lease")
                                .equals(written));
                Waiting.until("a leader", () -> leads(first) || leads(second));
                (leads(first) ? first : second).close();
                Waiting.until("the other leads", () -> leads(first) || leads(second));
            }
        }
    }

    private static void follow(MariaDbServer old, MariaDbServer next) {
        run(
                next,
                "change master to master_host='127.0.0.1', master_port=" + old.port() + ", master_user='"
                        + MariaDbServer.USER + "', master_password='" + MariaDbServer.PASSWORD + "'; start slave");
    }

    private static void run(MariaDbServer server, String sql) {
        assertThat(server.client(sql)).isEmpty();
    }

    private static boolean leads(Candidacy candidacy) {
        return candidacy.leadership().isPresent();
    }

    private static Elections elections(Coordinator coordinator, String name) {
        return Elections.over(coordinator)
                .name(name)
                .timing(new Timing(
                        LEASE.multipliedBy(3),
                        LEASE,
                        TIMEOUT,
                        Duration.ofMillis(200),
                        Duration.ZERO,
                        Timing.DRIFT_BOUND,
                        Timing.MARGIN))
                .open();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Coordinator open(String at) {
        return new SqlCoordinatorProvider().open(at, timeline, TIMEOUT, Mode.CREATE);
    }

    private static final class Hears implements Watcher {
        private volatile boolean leads;

        @Override
        public void changed(ObservedRecord record) {
            leads = record.leaseAlive();
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
