package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The schema of the fence: nobody but its owner puts anything in it, and a fence that was installed in schema public moves to it. */
class PostgresSchemaTest {
    private static final Mark EIGHT = new Mark(new FencingToken(8), MarkOwner.ofOperator("me"));
    private static final String ADMIT_EVERYBODY = "(text, bigint) RETURNS void LANGUAGE sql AS 'SELECT'";

    private final PostgresDatabase database = PostgresDatabase.empty(PostgresDatabase.shared());

    @BeforeEach
    void aStrangerMayLogIn() {
        database.run(
                "DO $$ BEGIN CREATE ROLE stranger LOGIN PASSWORD 's'; EXCEPTION WHEN duplicate_object OR unique_violation"
                        + " THEN NULL; END $$",
                "GRANT CREATE ON SCHEMA public TO PUBLIC",
                "CREATE TABLE ledger(id bigserial PRIMARY KEY, line text NOT NULL)");
    }

    @AfterEach
    void end() {
        database.cutOff();
    }

    @Test
    void aStrangerPlantsNothingThatAnAdmissionCalls() {
        database.install();
        assertThat(raise(EIGHT)).isEqualTo(new Raise.Raised(EIGHT));
        try (Psql stranger = new Psql(database, "stranger", "s")) {
            assertThat(stranger.run(
                            "CREATE FUNCTION incumbent.admit(text, integer) RETURNS void LANGUAGE sql AS 'SELECT';"))
                    .contains("42501");
            assertThat(stranger.run(
                            "CREATE FUNCTION public.admit(text, integer) RETURNS void LANGUAGE sql AS 'SELECT';",
                            "CREATE FUNCTION public.incumbent_admit" + ADMIT_EVERYBODY + ";"))
                    .isEmpty();
            assertThat(stranger.run("SELECT incumbent.admit('billing', 7);"))
                    .contains("IF001: stale token 7 of billing");
        }
        database.install();
    }

    @Test
    void aSchemaOfSomebodyElseIsNotInstalledInto() {
        database.run("CREATE SCHEMA incumbent AUTHORIZATION stranger");

        assertNotInstalled("here postgres, but there is schema incumbent of stranger");
    }

    @Test
    void aSchemaThatOthersCreateInIsNotInstalledInto() {
        database.run("CREATE SCHEMA incumbent", "GRANT CREATE ON SCHEMA incumbent TO stranger, PUBLIC");

        assertNotInstalled(
                "the right to create in schema incumbent of stranger",
                "the right to create in schema incumbent of everybody");
    }

    /** Replaced by ours, a function would still be its owner's to replace. */
    @Test
    void aFunctionAndATableOfSomebodyElseAreNotInstalledOver() {
        database.run(
                "CREATE SCHEMA incumbent",
                "CREATE FUNCTION incumbent.admit" + ADMIT_EVERYBODY,
                "ALTER FUNCTION incumbent.admit OWNER TO stranger",
                "CREATE TABLE incumbent.fence(election text)",
                "ALTER TABLE incumbent.fence OWNER TO stranger");

        assertNotInstalled("incumbent.fence of stranger", "incumbent.admit(text,bigint) of stranger");
    }

    @Test
    void aFenceOfSomebodyElseInSchemaPublicIsNotTakenOver() throws Exception {
        installInPublic();
        database.run("ALTER TABLE public.incumbent_fence OWNER TO stranger");

        assertNotInstalled("incumbent.fence of stranger");
    }

    /** Nobody leads who could not write, and what was raised before stays. */
    @Test
    void aFenceOfAnOlderVersionRefusesARaiseUntilItIsInstalledAgain() {
        database.install();
        raise(new Mark(new FencingToken(7), EIGHT.owner()));
        database.run("ALTER TABLE incumbent.fence DROP COLUMN send_ms");

        assertThatThrownBy(() -> raise(EIGHT))
                .hasMessageContaining("installed by an older version: install it again, incumbent fence install");
        assertThat(database.column("SELECT token FROM incumbent.fence")).containsExactly("7");

        database.install();
        assertThat(raise(EIGHT)).isEqualTo(new Raise.Raised(EIGHT));
    }

    @Test
    void aFenceInSchemaPublicMovesWithItsMarksRightsAndGuards() throws Exception {
        installInPublic();
        database.run(
                "SELECT * FROM public.incumbent_raise('billing', 7, 'operator:me')",
                "GRANT EXECUTE ON FUNCTION public.incumbent_raise(text, bigint, text) TO stranger",
                "GRANT INSERT ON ledger TO stranger",
                "GRANT USAGE ON SEQUENCE ledger_id_seq TO stranger",
                "CREATE TRIGGER incumbent_guards BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ledger"
                        + " FOR EACH STATEMENT EXECUTE FUNCTION public.incumbent_guard('billing')");
        List<String> id = database.column("SELECT id FROM public.incumbent_sink");
        assertThatThrownBy(() -> raise(EIGHT))
                .hasMessageContaining("older form in schema public (incumbent fence install)");

        database.install();
        database.install();

        assertThat(database.column("SELECT id FROM incumbent.sink")).isEqualTo(id);
        assertThat(database.column("SELECT token FROM incumbent.fence")).containsExactly("7");
        try (Psql stranger = new Psql(database, "stranger", "s")) {
            assertThat(write(stranger, "SELECT incumbent.admit('billing', 7);", "new"))
                    .doesNotContain("ERROR");
            assertThat(write(stranger, "SELECT public.incumbent_admit('billing', 7::bigint);", "old"))
                    .doesNotContain("ERROR");
            assertThat(stranger.run("INSERT INTO ledger(line) VALUES ('unasked');"))
                    .contains("IF003");
            assertThat(stranger.run("SELECT * FROM public.incumbent_raise('billing', 8, 'operator:me');"))
                    .contains("raised|8|operator:me");
            assertThat(write(stranger, "SELECT public.incumbent_admit('billing', 7::bigint);", "late"))
                    .contains("IF001");
            assertThat(stranger.run("SELECT token FROM public.incumbent_fence;"))
                    .isEqualTo("8");
        }
        assertThat(database.lines()).containsExactly("new", "old");
        assertThat(raise(EIGHT)).isEqualTo(new Raise.Raised(EIGHT));
        database.run(
                "DROP FUNCTION public.incumbent_admit(text, bigint), public.incumbent_raise(text, bigint, text)",
                "DROP VIEW public.incumbent_fence, public.incumbent_sink");
        database.install();
        assertThat(raise(EIGHT)).isEqualTo(new Raise.Raised(EIGHT));
    }

    private static String write(Psql client, String admission, String line) {
        return client.run("BEGIN;", admission, "INSERT INTO ledger(line) VALUES ('" + line + "');", "COMMIT;");
    }

    /** As versions did before the fence had a schema of its own. */
    private void installInPublic() throws SQLException {
        try (var connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(Installation.script("postgresql-in-public.sql"));
            connection.commit();
        }
    }

    private Raise raise(Mark mark) {
        try (Sink sink = new SqlSinkProvider().open(database.url(), Duration.ofSeconds(60))) {
            return sink.raise(Leader.BILLING, mark).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw (RuntimeException) failure.getCause();
        }
    }

    private void assertNotInstalled(String... there) {
        assertThatThrownBy(database::install)
                .hasMessageContaining("installing the fence failed: ")
                .hasMessageContainingAll(there);
        assertThat(database.column("SELECT to_regclass('incumbent.sink')")).containsOnlyNulls();
    }
}
