package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.enlisted;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
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
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rights that the pages of the databases name, a user with fewer, and servers that take no writes, or no more connections, from a user. */
final class ServerRightsTest {
    private static final List<String> WRITTEN = List.of("incumbent_lease", "incumbent_election", "incumbent_candidate");

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final String user = "u" + UUID.randomUUID().toString().substring(0, 8);

    enum Server {
        POSTGRES(PostgresServer.USER, PostgresServer.PASSWORD),
        MARIADB(MariaDbServer.USER, MariaDbServer.PASSWORD),
        MYSQL(MySqlServer.USER, MySqlServer.PASSWORD);

        private final String keeper;
        private final String password;

        Server(String keeper, String password) {
            this.keeper = keeper;
            this.password = password;
        }

        ServerRig.Place place() {
            return switch (this) {
                case POSTGRES -> Servers.postgres();
                case MARIADB -> Servers.mariaDb();
                case MYSQL -> Servers.mySql();
            };
        }

        /** What the tables lie in, for a grant; empty where a role's search path finds them. */
        String home(ServerRig.Place place) {
            return this == POSTGRES ? "" : at(place).replaceFirst(".*/([a-z0-9]+)\\?.*", "$1.");
        }

        String to(String user) {
            return " to " + user + (this == POSTGRES ? "" : "@'%'");
        }

        String as(String at, String user) {
            return at.replace("user=" + keeper, "user=" + user).replace(password, "hunter4");
        }
    }

    private Server server = Server.POSTGRES;
    private Optional<ServerRig> place = Optional.empty();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        if (place.isPresent()) {
            rig().execute(server == Server.POSTGRES ? "drop owned by " + user : "drop user " + user + "@'%'");
            rig().close();
        }
        timeline.close();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("realtime")
    void theRightsThatThePageNamesServe(Server which) throws Exception {
        Revision first = begun(which, "");
        grant("select", "incumbent_schema");
        WRITTEN.forEach(table -> grant("select, insert, update, delete", table));

        Coordinator elector = open(Mode.CREATE);
        LeaseId lease = granted(elector, rig().lease()).id();
        get(elector.keepAlive(lease));
        get(elector.enlist(ELECTION, enlisted(lease)));
        swapped(elector, first, vacant(2));
        assertThat(get(elector.candidates(Set.of(ELECTION))).get(ELECTION)).hasSize(1);
        get(elector.withdraw(ELECTION, enlisted(lease).candidate().id()));
        get(elector.revoke(lease));

        assertThat(found(elector).record().term()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void whoMayOnlyReadReadsAndTheRightThatItLacksIsNamed(Server which) throws Exception {
        Revision first = begun(which, "");
        grant("select", "incumbent_schema");
        WRITTEN.forEach(table -> grant("select", table));

        assertThat(found(open(Mode.READ_ONLY)).revision()).isEqualTo(first);
        CoordinatorException lacks = failure(open(Mode.CREATE).swap(ELECTION, first, vacant(2)));
        assertThat(lacks)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("lacks a right of user " + user)
                .hasMessageContaining("incumbent_election");
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatTakesNoMoreConnectionsIsToldAndAskedAgain(Server which) throws Exception {
        begun(which, which == Server.POSTGRES ? " connection limit 1" : " with max_user_connections 1");
        grant("select", "incumbent_schema");
        WRITTEN.forEach(table -> grant("select", table));
        Coordinator client;
        try (Connection theOnlyOne = DriverManager.getConnection(uri())) {
            assertThat(theOnlyOne.isValid(10)).isTrue();
            client = open(Mode.READ_ONLY);

            CoordinatorException crowded = failure(client.elections(""));

            assertThat(crowded).isNotInstanceOf(CoordinatorUnusableException.class);
            assertThat(crowded).hasMessageContaining("takes no more connections now");
        }

        assertThat(get(client.elections(""))).containsExactly(ELECTION);
    }

    /** On a primary: what it reads is current. */
    @Test
    void aUserFromWhomPostgresTakesNoWritesIsToldSoAndReads() throws Exception {
        Revision first = begun(Server.POSTGRES, "");
        WRITTEN.forEach(table -> grant("select, insert, update, delete", table));
        grant("select", "incumbent_schema");
        rig().execute("alter role " + user + " set default_transaction_read_only=on");

        Coordinator client = open(Mode.CREATE);
        CoordinatorException refused = failure(client.swap(ELECTION, first, vacant(2)));
        assertThat(refused).isNotInstanceOf(CoordinatorUnusableException.class);
        assertThat(refused).hasMessageContaining("takes no writes now");
        assertThat(refused.mayHaveApplied()).isFalse();
        assertThat(found(client).revision()).isEqualTo(first);
    }

    /** A place with a record, and a user without any right in it. */
    private Revision begun(Server which, String options) throws Exception {
        server = which;
        place = Optional.of(new ServerRig(which.place()));
        Revision first = swapped(rig().connect(), Revision.ABSENT, vacant(1));
        if (which == Server.POSTGRES) {
            String schema = at(rig().place()).replaceFirst(".*currentSchema=", "");
            rig().execute("create role " + user + " login password 'hunter4'" + options);
            rig().execute("grant usage on schema " + schema + " to " + user);
        } else {
            rig().execute("create user " + user + "@'%' identified by 'hunter4'" + options);
        }
        return first;
    }

    private void grant(String rights, String table) {
        rig().execute("grant " + rights + " on " + server.home(rig().place()) + table + server.to(user));
    }

    private ServerRig rig() {
        return place.orElseThrow();
    }

    private String uri() {
        return server.as(at(rig().place()), user);
    }

    private static String at(ServerRig.Place place) {
        return place.url().apply(place.port());
    }

    private Coordinator open(Mode mode) {
        return open(uri(), mode);
    }

    private Coordinator open(String at, Mode mode) {
        Coordinator client = new SqlCoordinatorProvider().open(at, timeline, ServerRig.REQUEST_TIMEOUT, mode);
        opened.add(0, client);
        return client;
    }
}
