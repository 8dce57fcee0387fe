package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which rights on PostgreSQL are enough, for whom, as the page of the sink says. */
@Tag("trial")
class PostgresRightsTest {
    /** A busy machine looks for a blocker late. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private static final SqlSinkProvider PROVIDER = new SqlSinkProvider();

    private final PostgresDatabase database = PostgresDatabase.empty(PostgresDatabase.shared());

    @BeforeEach
    void roles() {
        for (String role : new String[] {"rt_installer", "rt_leader", "rt_owner"}) {
            database.run("DO $$ BEGIN CREATE ROLE " + role + " LOGIN PASSWORD 'r'; EXCEPTION WHEN duplicate_object OR"
                    + " unique_violation THEN NULL; END $$");
        }
        database.run(
                "GRANT CREATE ON DATABASE " + database.name() + " TO rt_installer",
                "GRANT CREATE ON SCHEMA public TO rt_installer, rt_owner");
    }

    @AfterEach
    void end() {
        database.run("REVOKE pg_monitor FROM rt_leader");
        database.cutOff();
    }

    @Test
    void whoMayCreateInTheDatabaseInstallsAndInstallsAgainAndGuardsItsOwnTable() {
        PROVIDER.install(of("rt_installer"));
        run("rt_installer", "CREATE TABLE public.mine(line text)");
        PROVIDER.install(of("rt_installer"));

        PROVIDER.guard(of("rt_installer"), "mine", Leader.BILLING);

        assertThatThrownBy(() -> run("rt_installer", "INSERT INTO mine VALUES ('late')"))
                .hasStackTraceContaining("not admitted");
        assertThatThrownBy(() -> PROVIDER.install(of("rt_owner")))
                .hasMessageContaining("here rt_owner, but there is schema incumbent of rt_installer");
    }

    /** The guard is a function of the installer's. */
    @Test
    void whoOwnsATableGuardsItOnceItMayExecuteTheGuard() {
        PROVIDER.install(of("rt_installer"));
        run("rt_owner", "CREATE TABLE public.theirs(line text)");
        assertThatThrownBy(() -> PROVIDER.guard(of("rt_owner"), "theirs", Leader.BILLING))
                .hasMessageContaining("this user may not (ERROR: permission denied for function incumbent.guard)");
        run("rt_installer", "GRANT EXECUTE ON FUNCTION incumbent.guard() TO rt_owner");

        PROVIDER.guard(of("rt_owner"), "theirs", Leader.BILLING);

        assertThatThrownBy(() -> run("rt_owner", "INSERT INTO theirs VALUES ('late')"))
                .hasStackTraceContaining("not admitted");
    }

    @Test
    void aLeaderRaisesOnceItMayExecuteTheRaiseAndNamesABlockerInFullAsAMonitor() throws Exception {
        PROVIDER.install(of("rt_installer"));
        assertThatThrownBy(() -> raise("rt_leader", 7)).hasMessageContaining("this user may not");
        run("rt_installer", "GRANT EXECUTE ON FUNCTION incumbent.raise(text, bigint, text) TO rt_leader");
        assertThat(raise("rt_leader", 7)).isEqualTo(new Raise.Raised(mark(7)));
        try (Connection blocker = database.connect()) {
            blocker.setAutoCommit(false);
            Installation.execute(blocker, "SELECT incumbent.admit('billing', 7)");

            assertThatThrownBy(() -> raise("rt_leader", 8))
                    .hasMessageMatching(".*gave up after 8000 ms; it waits for process \\d+ \\(user postgres,"
                            + " application PostgreSQL JDBC Driver\\)");
            database.run("GRANT pg_monitor TO rt_leader");
            assertThatThrownBy(() -> raise("rt_leader", 8))
                    .hasMessageContaining(
                            "(user postgres, application PostgreSQL JDBC Driver, client 127.0.0.1, idle in"
                                    + " transaction for ");
            blocker.rollback();
        }
    }

    /** PostgreSQL drops no role that owns something; what it owns may be handed over. */
    @Test
    void whoInstalledItAndLeavesHandsTheFenceOver() throws Exception {
        PROVIDER.install(of("rt_installer"));
        database.run("GRANT EXECUTE ON FUNCTION incumbent.raise(text, bigint, text) TO rt_leader");
        assertThat(raise("rt_leader", 7)).isEqualTo(new Raise.Raised(mark(7)));
        assertThatThrownBy(() -> run("postgres", "DROP ROLE rt_installer"))
                .hasStackTraceContaining("cannot be dropped because some objects depend on it");

        run("postgres", "REASSIGN OWNED BY rt_installer TO rt_owner");

        assertThat(raise("rt_leader", 8)).isEqualTo(new Raise.Raised(mark(8)));
        PROVIDER.install(of("rt_owner"));
        assertThat(raise("rt_leader", 9)).isEqualTo(new Raise.Raised(mark(9)));
    }

    /** The functions run with the rights of their owner, who may always take them back. */
    @Test
    void whatWasTakenFromTheOwnerIsGivenBackByTheNextInstallation() {
        PROVIDER.install(of("rt_installer"));
        assertThat(raise("postgres", 7)).isEqualTo(new Raise.Raised(mark(7)));
        run(
                "postgres",
                "REVOKE ALL ON incumbent.fence, incumbent.sink FROM rt_installer;"
                        + " REVOKE ALL ON SCHEMA incumbent FROM rt_installer, public;"
                        + " REVOKE ALL ON ALL FUNCTIONS IN SCHEMA incumbent FROM rt_installer, public");
        assertThatThrownBy(() -> raise("postgres", 8)).hasMessageContaining("this user may not");

        PROVIDER.install(of("rt_installer"));

        assertThat(raise("postgres", 8)).isEqualTo(new Raise.Raised(mark(8)));
    }

    /** Whoever may connect may take it; the raise tells who did. */
    @Test
    void aStrangerThatTakesTheFencesLockIsNamed() throws Exception {
        PROVIDER.install(of("rt_installer"));
        assertThat(raise("postgres", 7)).isEqualTo(new Raise.Raised(mark(7)));
        try (Connection stranger = connect("rt_owner")) {
            Installation.execute(stranger, "SELECT pg_advisory_lock(1229866573, hashtext('billing'))");

            assertThatThrownBy(() -> raise("postgres", 8)).hasMessageContaining("(user rt_owner, ");
        }
        assertThat(raise("postgres", 8)).isEqualTo(new Raise.Raised(mark(8)));
    }

    private Raise raise(String role, long to) {
        try (Sink sink = PROVIDER.open(of(role), BOUND)) {
            return sink.raise(Leader.BILLING, mark(to)).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw (RuntimeException) failure.getCause();
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
    }

    private String of(String role) {
        return role.equals(PostgresServer.USER)
                ? database.url()
                : database.url()
                        .replace("user=" + PostgresServer.USER, "user=" + role)
                        .replace("password=" + PostgresServer.PASSWORD, "password=r");
    }

    private Connection connect(String role) throws SQLException {
        return DriverManager.getConnection(of(role));
    }

    private void run(String role, String sql) {
        try (Connection connection = connect(role)) {
            Installation.execute(connection, sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }
}
