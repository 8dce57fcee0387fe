package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the fence is to a client that knows nothing of us. */
class SqliteClientTest {
    private final Ledger ledger = Ledger.inMode("WAL");

    @BeforeEach
    void raise() {
        raise("'billing', 8, 'candidate:bert'");
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void theOneStatementRefusesAStaleToken() {
        Sqlite3.Ended stale = admit("7");

        assertThat(stale.code()).isEqualTo(19);
        assertThat(stale.printed()).contains("IF001 stale token");
        assertThat(admit("8")).isEqualTo(new Sqlite3.Ended(0, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9", "'8'", "8.0", "NULL", "''", "x'08'", "9223372036854775807", "1e3"})
    void theOneStatementRefusesWhatIsNotTheTokenInForce(String token) {
        Sqlite3.Ended refused = admit(token);

        assertThat(refused.code()).isEqualTo(19);
        assertThat(refused.printed()).contains("IF002 not raised");
    }

    @ParameterizedTest
    @ValueSource(strings = {"OR IGNORE", "OR REPLACE", "OR FAIL", "OR ROLLBACK"})
    void noConflictClauseSoftensTheStatement(String clause) {
        Sqlite3.Ended stale = Sqlite3.statement(
                ledger.file(), "INSERT " + clause + " INTO incumbent_admit(election, token) VALUES ('billing', 7)");

        assertThat(stale.printed()).contains("IF001 stale token");
    }

    @Test
    void aScriptThatBailsWritesNothingWithAStaleToken() {
        Sqlite3.Ended stale = Sqlite3.scriptThatBails(ledger.file(), transaction(7, "late"));
        Sqlite3.Ended inForce = Sqlite3.scriptThatBails(ledger.file(), transaction(8, "in time"));

        assertThat(stale.code()).isEqualTo(1);
        assertThat(inForce.code()).isZero();
        assertThat(ledger.lines()).containsExactly("in time");
    }

    /** The limit that a guard is for. */
    @Test
    void aScriptThatGoesOnAfterTheRefusalWritesIntoATableWithoutAGuard() {
        Sqlite3.Ended careless = Sqlite3.script(ledger.file(), transaction(7, "late"));

        assertThat(careless.printed()).contains("IF001 stale token");
        assertThat(ledger.lines()).containsExactly("late");
    }

    @Test
    void anyClientRaisesByOneStatementUnderTheSameRule() {
        assertThat(raise("'billing', 9, 'operator:me'").code()).isZero();
        assertThat(raise("'billing', 9, 'operator:me'").code()).isZero();
        assertThat(raise("'billing', 9, 'operator:you'").printed()).contains("IF004 raise refused");
        assertThat(raise("'billing', 8, 'operator:me'").printed()).contains("IF004 raise refused");
        assertThat(raise("'billing', 99999999999, 'operator:me'").printed()).contains("IF005 raise too far");

        assertThat(raise("'billing', 10, 'freeze:me'").code()).isZero();
        assertThat(raise("'billing', 11, 'candidate:bert'").printed()).contains("IF004 raise refused");
        assertThat(raise("'billing', 11, 'thaw:9:me'").printed()).contains("IF004 raise refused");
        assertThat(raise("'billing', 11, 'thaw:10:me'").code()).isZero();

        assertThat(ledger.column("SELECT token || ' of ' || owner FROM incumbent_fence"))
                .containsExactly("11 of thaw:10:me");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'billing', '9', 'operator:me'",
                "'billing', 9.0, 'operator:me'",
                "'billing', NULL, 'operator:me'",
                "'billing', 0, 'operator:me'",
                "NULL, 9, 'operator:me'",
                "'billing', 9, 'me'",
                "'billing', 9, 'thaw:me'",
                "'billing', 9, NULL"
            })
    void anUnreadableRaiseIsRefused(String raise) {
        assertThat(raise(raise).printed()).contains("IF006 unreadable raise");
    }

    @Test
    void noConflictClauseSoftensARaise() {
        Sqlite3.Ended ended = Sqlite3.statement(
                ledger.file(),
                "INSERT OR REPLACE INTO incumbent_raise(election, token, owner) VALUES ('billing', 7, 'operator:me')");

        assertThat(ended.printed()).contains("IF004 raise refused");
        assertThat(ledger.column("SELECT token FROM incumbent_fence")).containsExactly("8");
    }

    private Sqlite3.Ended admit(String token) {
        return Sqlite3.statement(
                ledger.file(), "INSERT INTO incumbent_admit(election, token) VALUES ('billing', " + token + ")");
    }

    private Sqlite3.Ended raise(String values) {
        return Sqlite3.statement(
                ledger.file(), "INSERT INTO incumbent_raise(election, token, owner) VALUES (" + values + ")");
    }

    private static String[] transaction(long token, String line) {
        return new String[] {
            "BEGIN;",
            "INSERT INTO incumbent_admit(election, token) VALUES ('billing', " + token + ");",
            "INSERT INTO ledger(line) VALUES ('" + line + "');",
            "COMMIT;"
        };
    }
}
