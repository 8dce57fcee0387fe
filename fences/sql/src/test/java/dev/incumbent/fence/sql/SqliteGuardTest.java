package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a guard on a table of the user's stops: whoever goes on after a refusal, and whoever forgets to ask. */
class SqliteGuardTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final String STALE = "CREATE TEMP TABLE incumbent_token(\"billing=7\");";
    private static final String IN_FORCE = "CREATE TEMP TABLE incumbent_token(\"billing=8\");";

    private final Ledger ledger = Ledger.inMode("WAL");

    @BeforeEach
    void guard() {
        ledger.run("INSERT INTO ledger(rowid, line) VALUES (1, 'first')");
        ledger.run("CREATE UNIQUE INDEX lines ON ledger(line)");
        new SqlSinkProvider().guard(ledger.url(), "ledger", BILLING);
        raise(8);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void aScriptThatGoesOnAfterTheRefusalWritesNothing() {
        Sqlite3.Ended careless = Sqlite3.script(
                ledger.file(),
                "BEGIN;",
                "INSERT INTO incumbent_admit(election, token) VALUES ('billing', 7);",
                "INSERT INTO ledger(line) VALUES ('late');",
                "COMMIT;",
                "INSERT INTO ledger(line) VALUES ('later');");

        assertThat(careless.printed()).contains("IF001 stale token", "IF003 not admitted");
        assertThat(ledger.lines()).containsExactly("first");
    }

    @Test
    void aStaleScriptWritesNothingAfterTheLeaderInForceHasWritten() throws Exception {
        leaderWrites(8, "of term 8");

        Sqlite3.script(
                ledger.file(),
                "INSERT INTO incumbent_admit(election, token) VALUES ('billing', 7);",
                "INSERT INTO ledger(line) VALUES ('late');");
        Sqlite3.script(ledger.file(), STALE, "INSERT INTO ledger(line) VALUES ('later');");

        assertThat(ledger.lines()).containsExactly("first", "of term 8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO ledger(line) VALUES ('late')",
                "INSERT OR IGNORE INTO ledger(line) VALUES ('late')",
                "INSERT OR REPLACE INTO ledger(rowid, line) VALUES (1, 'late')",
                "INSERT INTO ledger(line) VALUES ('first') ON CONFLICT(line) DO UPDATE SET line = 'late'",
                "INSERT INTO ledger(line) SELECT line || 'late' FROM ledger",
                "UPDATE ledger SET line = 'late'",
                "UPDATE OR IGNORE ledger SET line = 'late'",
                "DELETE FROM ledger",
                "BEGIN; DELETE FROM ledger; COMMIT"
            })
    void everyWriteWithoutATokenInForceIsRefused(String write) {
        Sqlite3.Ended forgetful = Sqlite3.script(ledger.file(), write + ";");
        Sqlite3.Ended stale = Sqlite3.script(ledger.file(), STALE, write + ";");

        assertThat(forgetful.printed()).contains("IF003 not admitted");
        assertThat(stale.printed()).contains("IF001 stale token");
        assertThat(ledger.lines()).containsExactly("first");
    }

    @Test
    void aPlainClientThatBearsTheTokenInForceWrites() {
        Sqlite3.Ended writer = Sqlite3.script(
                ledger.file(),
                IN_FORCE,
                "INSERT INTO ledger(line) VALUES ('second'), ('third');",
                "UPDATE ledger SET line = 'changed' WHERE line = 'second';",
                "DELETE FROM ledger WHERE line = 'first';");

        assertThat(writer).isEqualTo(new Sqlite3.Ended(0, ""));
        assertThat(ledger.lines()).containsExactly("changed", "third");
    }

    @Test
    void aTokenBorneInAutocommitIsRefusedOnceAnotherWasRaised() throws Exception {
        try (Connection connection = ledger.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(IN_FORCE);
            statement.executeUpdate("INSERT INTO ledger(line) VALUES ('in time')");
            raise(9);

            assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO ledger(line) VALUES ('late')"))
                    .hasMessageContaining("IF001 stale token");
        }
        assertThat(ledger.lines()).containsExactly("first", "in time");
    }

    @Test
    void aTokenThatWasNotRaisedHereIsRefused() {
        Sqlite3.Ended mistyped = Sqlite3.script(
                ledger.file(),
                "CREATE TEMP TABLE incumbent_token(\"billing=88\", \"billing=08\", \"Billing=8\", \"other=8\", \"billing=\");",
                "INSERT INTO ledger(line) VALUES ('mistyped');");

        assertThat(mistyped.printed()).contains("IF003 not admitted");
        assertThat(ledger.lines()).containsExactly("first");
    }

    @Test
    void theJavaFenceLetsOneConnectionWriteThroughManyTerms() throws Exception {
        try (Connection connection = ledger.connect()) {
            connection.setAutoCommit(false);
            Fence fence = JdbcFence.over(connection);

            for (long token = 8; token < 40; token++) {
                raise(token);
                fence.admit(BILLING, new FencingToken(token));
                write(connection, "rolled back " + token);
                connection.rollback();
                fence.admit(BILLING, new FencingToken(token));
                write(connection, "term " + token);
                connection.commit();
            }
            raise(40);

            assertThatThrownBy(() -> write(connection, "late")).hasMessageContaining("IF001 stale token");
            connection.rollback();
        }
        assertThat(ledger.lines()).hasSize(1 + 32).doesNotContain("late").noneMatch(line -> line.startsWith("rolled"));
    }

    @Test
    void aClientThatDistrustsSchemasCannotWriteAtAll() {
        Sqlite3.Ended distrustful = Sqlite3.script(
                ledger.file(), "PRAGMA trusted_schema = OFF;", IN_FORCE, "INSERT INTO ledger(line) VALUES ('second');");

        assertThat(distrustful.printed()).contains("unsafe use of virtual table");
        assertThat(ledger.lines()).containsExactly("first");
    }

    @Test
    void aGuardIsPutOnAgainForAnotherElection() {
        new SqlSinkProvider().guard(ledger.url(), "LEDGER", new ElectionName("reports/daily"));

        Sqlite3.Ended writer = Sqlite3.script(ledger.file(), IN_FORCE, "INSERT INTO ledger(line) VALUES ('x');");

        assertThat(writer.printed()).contains("IF003 not admitted", "reports/daily");
        assertThat(ledger.column("SELECT election FROM incumbent_guard")).containsExactly("reports/daily");
    }

    @Test
    void aTableWithAnAwkwardNameIsGuarded() {
        ledger.run("CREATE TABLE \"the \"\"ledger's\"\" table\"(line)");
        new SqlSinkProvider().guard(ledger.url(), "the \"ledger's\" table", BILLING);

        Sqlite3.Ended forgetful =
                Sqlite3.script(ledger.file(), "INSERT INTO \"the \"\"ledger's\"\" table\" VALUES (1);");

        assertThat(forgetful.printed()).contains("IF003 not admitted");
    }

    @Test
    void aTableThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> new SqlSinkProvider().guard(ledger.url(), "leger", BILLING))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("has no table leger");
    }

    private void leaderWrites(long token, String line) throws Exception {
        try (Connection connection = ledger.connect()) {
            connection.setAutoCommit(false);
            JdbcFence.over(connection).admit(BILLING, new FencingToken(token));
            write(connection, line);
            connection.commit();
        }
    }

    private static void write(Connection connection, String line) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO ledger(line) VALUES ('" + line + "')");
        }
    }

    private void raise(long token) {
        ledger.run("INSERT INTO incumbent_raise(election, token, owner) VALUES ('billing', " + token + ", 'candidate:c"
                + token + "')");
    }
}
