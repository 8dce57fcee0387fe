package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.reading;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.time.SystemTimeline;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that cannot be used is told in one sentence that names what and where, never a password; one in use is a nuisance for a while. */
@Tag("realtime")
final class ServerTroubleTest {
    private static final Duration REQUEST_TIMEOUT = ServerRig.REQUEST_TIMEOUT;

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<AutoCloseable> opened = new ArrayList<>();

    enum Server {
        POSTGRES,
        MARIADB,
        MYSQL;

        ServerRig.Place place() {
            return switch (this) {
                case POSTGRES -> Servers.postgres();
                case MARIADB -> Servers.mariaDb();
                case MYSQL -> Servers.mySql();
            };
        }

        String password() {
            return switch (this) {
                case POSTGRES -> PostgresServer.PASSWORD;
                case MARIADB -> MariaDbServer.PASSWORD;
                case MYSQL -> MySqlServer.PASSWORD;
            };
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        timeline.close();
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPasswordIsToldWithTheUserAndWithoutThePassword(Server server) {
        String wrong = at(server).replace(server.password(), "wrong-hunter3");

        CoordinatorUnusableException refused = refused(wrong);

        assertThat(refused).hasMessageContaining("wrong password").hasMessageContaining("127.0.0.1:");
        assertThat(trace(refused)).doesNotContain("hunter");
    }

    @ParameterizedTest
    @EnumSource
    void aMissingDatabaseIsTold(Server server) {
        String missing = at(server).replaceFirst("(127[^/]*/)[a-z0-9]+", "$1nowhere");

        assertThat(refused(missing)).hasMessageContaining("/nowhere has no such database");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql://u:hunter2@%s/d", "mariadb://u:hunter2@%s/d", "mysql://u:hunter2@%s/d"})
    void aHostThatIsNotThereIsToldByTheFirstCallAndNothingApplied(String pattern) throws Exception {
        CoordinatorException unknown = firstFailure(pattern.formatted("no-such-host.invalid"));
        String nobody = "127.0.0.1:" + FreePorts.one();
        CoordinatorException unreached = firstFailure(pattern.formatted(nobody));

        assertThat(unknown).hasMessageContaining("no-such-host.invalid").hasMessageContaining("cannot be reached");
        assertThat(unreached).hasMessageContaining(nobody).hasMessageContaining("cannot be reached");
        assertThat(unknown.mayHaveApplied()).isFalse();
        assertThat(unreached.mayHaveApplied()).isFalse();
        assertThat(trace(unknown) + trace(unreached)).doesNotContain("hunter");
    }

    @Test
    void whoMayNotMakeTheTablesIsToldWhoCould() throws Exception {
        ServerRig.Place place = Servers.postgres();
        ServerRig rig = rig(place);
        String schema = schema(place);
        rig.execute("create role maynot" + schema + " login password 'hunter4'");
        rig.execute("grant usage on schema " + schema + " to maynot" + schema);
        String at = as(place, "maynot" + schema, "hunter4");

        assertThat(refused(at)).hasMessageContaining("lacks our tables").hasMessageContaining("incumbent install");
        assertThat(reading(open(at, Mode.READ_ONLY))).isInstanceOf(Reading.Absent.class);
    }

    @ParameterizedTest
    @EnumSource
    void aStoreThatIsOnlyReadStaysWithoutTables(Server server) throws Exception {
        ServerRig.Place place = server.place();

        Coordinator reader = open(place.url().apply(place.port()), Mode.READ_ONLY);

        assertThat(reading(reader)).isInstanceOf(Reading.Absent.class);
        assertThat(get(reader.elections(""))).isEmpty();
        assertThat(get(reader.candidates(java.util.Set.of(ELECTION)))).containsKey(ELECTION);
        assertThat(failure(reader.swap(ELECTION, Revision.ABSENT, vacant(1))))
                .hasMessageContaining("opened to be read only");
        try (Connection connection = rig(place).connection();
                var tables = connection.getMetaData().getTables(connection.getCatalog(), null, "incumbent_%", null)) {
            while (tables.next()) {
                assertThat(tables.getString("TABLE_SCHEM")).isNotEqualTo(schema(place));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTableThatIsGoneIsNamedAndLivesOnWhenItIsBack(Server server) throws Exception {
        ServerRig rig = rig(server.place());
        Coordinator client = rig.connect();
        Revision first = swapped(client, Revision.ABSENT, vacant(1));
        rig.execute("alter table incumbent_election rename to elsewhere");

        assertThat(failure(client.swap(ELECTION, first, vacant(2)))).hasMessageContaining("lacks a table of ours");

        rig.execute("alter table elsewhere rename to incumbent_election");
        swapped(client, first, vacant(2));
    }

    @ParameterizedTest
    @EnumSource
    void aSchemaOfALaterVersionIsRefused(Server server) throws Exception {
        ServerRig.Place place = server.place();
        ServerRig rig = rig(place);
        rig.connect();
        rig.execute("update incumbent_schema set version=2");

        assertThat(refused(place.url().apply(place.port()))).hasMessageContaining("has schema 2");
    }

    /** The trap of every lock: a swap that timed out behind it would apply once it is free. */
    @ParameterizedTest
    @EnumSource
    void aSwapBehindAForeignLockEndsInTimeAndDelaysNoKeepAlive(Server server) throws Exception {
        ServerRig rig = rig(server.place());
        Duration patience = Duration.ofSeconds(4);
        Coordinator client = new SqlCoordinatorProvider().open(at(rig.place()), timeline, patience, Mode.CREATE);
        opened.add(client);
        Revision first = swapped(client, Revision.ABSENT, vacant(1));
        LeaseId lease = granted(client, Duration.ofSeconds(10)).id();
        try (Connection foreign = rig.connection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("select * from incumbent_election for update");

            var swap = client.swap(ELECTION, first, vacant(2));
            long before = timeline.nanos();
            get(client.keepAlive(lease));
            assertThat(Duration.ofNanos(timeline.nanos() - before)).isLessThan(patience.dividedBy(2));
            assertThat(swap.toCompletableFuture()).isNotDone();
            CoordinatorException locked = failure(swap);

            assertThat(locked.mayHaveApplied()).isFalse();
            foreign.rollback();
        }
        assertThat(found(client).revision()).isEqualTo(first);
        swapped(client, first, vacant(2));
    }

    /** Behind a pooler we set no limits; PostgreSQL has none of its own, unless its operators set them for the role. */
    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void behindAPoolerTheRolesLimitsDecideWhatBecomesOfASwapBehindAForeignLock(boolean limited, boolean mayHaveApplied)
            throws Exception {
        ServerRig rig = rig(Servers.pooledPostgres());
        String database = at(rig.place()).replaceFirst(".*/(place[0-9]+)[?].*", "$1");
        ServerRig.Place direct = Servers.postgres();
        if (limited) {
            rig(direct)
                    .execute("alter role " + PostgresServer.USER + " in database " + database
                            + " set lock_timeout='500ms'");
        }
        Coordinator client =
                new SqlCoordinatorProvider().open(at(rig.place()), timeline, Duration.ofSeconds(4), Mode.CREATE);
        opened.add(client);
        Revision first = swapped(client, Revision.ABSENT, vacant(1));
        try (Connection foreign = DriverManager.getConnection(
                        PostgresServer.jdbcUrl(direct.port()).replace("/postgres?", "/" + database + "?"));
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("select * from incumbent_election for update");

            CoordinatorException locked = failure(client.swap(ELECTION, first, vacant(2)));

            assertThat(locked.mayHaveApplied()).isEqualTo(mayHaveApplied);
            foreign.rollback();
        }
    }

    /** A MariaDB tells whatever version it is told to tell. */
    @ParameterizedTest
    @CsvSource({"5.7.44,MySQL 5.7", "10.5.29-MariaDB,MariaDB 10.5"})
    void anOldVersionIsRefused(String version, String name) {
        try (MariaDbServer old = MariaDbServer.start(List.of("version=" + version), Map.of())) {
            assertThat(refused(old.jdbcUrl()))
                    .hasMessageContaining("is " + name + "; the oldest that serve are MariaDB 10.6 and MySQL 8.0");
        }
    }

    /** A MariaDB tells that it is one as soon as its option says so, though without the library of Galera it is none. */
    @Test
    void aNodeOfAGaleraClusterIsRefused() {
        try (MariaDbServer node = MariaDbServer.start(List.of("wsrep-on=ON"), Map.of())) {
            assertThat(refused(node.jdbcUrl()))
                    .hasMessage("the coordinator mariadb://127.0.0.1:" + node.port() + "/" + MariaDbServer.DATABASE
                            + " is a node of a Galera cluster (wsrep_on is ON), whose nodes share no locks and may"
                            + " answer reads from the past; name a server without Galera");
        }
    }

    @Test
    void aMemberOfAGroupWithSeveralPrimariesIsRefused() {
        assumeTrue(MySqlServer.knowsGroups(), "MySQL with its groups could not be had (scripts/install-servers)");
        try (MySqlServer member = MySqlServer.start(MySqlServer.ofSeveralPrimaries())) {
            assertThat(refused(member.jdbcUrl()))
                    .hasMessageContaining(
                            "replicates in a group with several primaries (group_replication_single_primary_mode is"
                                    + " OFF), which share no locks and may answer reads from the past");
        }
    }

    /** Its local time would make leases hours longer or shorter than another session's. */
    @Test
    void theTimeZoneOfASessionMovesNoLease() throws Exception {
        ServerRig.Place place = Servers.mariaDb();
        String at = place.url().apply(place.port());
        Coordinator here = open(at, Mode.CREATE);
        Coordinator there = open(at + "&sessionVariables=time_zone='%2B09:00'", Mode.CREATE);
        LeaseId lease = granted(there, Duration.ofSeconds(20)).id();
        swapped(there, Revision.ABSENT, Asking.claim(lease));

        assertThat(found(here).leaseAlive()).isTrue();
        assertThat(found(here).leaseRemaining().orElseThrow()).isLessThan(Duration.ofSeconds(21));
        get(here.keepAlive(lease));
    }

    private static String at(ServerRig.Place place) {
        return place.url().apply(place.port());
    }

    private static String at(Server server) {
        return at(server.place());
    }

    private static String as(ServerRig.Place place, String user, String password) {
        return place.url()
                .apply(place.port())
                .replace("user=" + PostgresServer.USER, "user=" + user)
                .replace(PostgresServer.PASSWORD, password);
    }

    private static String schema(ServerRig.Place place) {
        String url = place.url().apply(place.port());
        return url.contains("currentSchema=") ? url.substring(url.indexOf("currentSchema=") + 14) : "";
    }

    private ServerRig rig(ServerRig.Place place) {
        ServerRig rig = new ServerRig(place);
        opened.add(0, rig);
        return rig;
    }

    private Coordinator open(String at, Mode mode) {
        Coordinator client = new SqlCoordinatorProvider().open(at, timeline, REQUEST_TIMEOUT, mode);
        opened.add(0, client);
        return client;
    }

    private CoordinatorUnusableException refused(String at) {
        return catchThrowableOfType(CoordinatorUnusableException.class, () -> open(at, Mode.CREATE));
    }

    private CoordinatorException firstFailure(String at) throws Exception {
        return failure(open(at, Mode.CREATE).swap(ELECTION, Revision.ABSENT, vacant(1)));
    }

    private static String trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
