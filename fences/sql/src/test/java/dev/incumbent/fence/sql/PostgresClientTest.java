package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client gets that has nothing of ours: {@code psql} alone. */
class PostgresClientTest {
    private static final String ADMIT_7 = "SELECT incumbent.admit('billing', 7);";
    private static final String ADMIT_8 = "SELECT incumbent.admit('billing', 8);";
    private static final String RAISE_8 = "SELECT * FROM incumbent.raise('billing', 8, 'operator:me');";
    private static final int WRITERS = 8;
    private static final int RAISES = 9;

    private final PostgresDatabase database = PostgresDatabase.create();
    private final Psql psql = Psql.to(database);

    @BeforeEach
    void raiseTo7() {
        psql.run("SELECT * FROM incumbent.raise('billing', 7, 'operator:me');");
    }

    @AfterEach
    void close() {
        psql.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void aStaleTokenIsRefusedAtEveryLevel(String level) {
        psql.run(RAISE_8);

        String printed = psql.run(
                "BEGIN ISOLATION LEVEL " + level + ";",
                ADMIT_7,
                "INSERT INTO ledger(line) VALUES ('late');",
                "COMMIT;");

        assertThat(printed).contains("ERROR:  IF001: stale token 7 of billing: the mark is 8 of operator:me");
        assertThat(database.lines()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void aSnapshotOlderThanTheRaiseAdmitsNothing(String level) {
        try (Psql old = Psql.to(database)) {
            old.run("BEGIN ISOLATION LEVEL " + level + ";", "SELECT count(*) FROM ledger;");
            psql.run(RAISE_8);

            String printed = old.run(ADMIT_7, "INSERT INTO ledger(line) VALUES ('late');", "COMMIT;");
            String again = old.run("BEGIN ISOLATION LEVEL " + level + ";", ADMIT_7, "ROLLBACK;");

            assertThat(printed).containsPattern("ERROR:  (IF001: stale token|40001: could not serialize)");
            assertThat(again).contains("IF001: stale token 7");
            assertThat(database.lines()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void twoTransactionsOfTheLeaderRunSideBySideAndARaiseWaitsForBoth(String level) throws Exception {
        try (Psql second = Psql.to(database);
                Psql raiser = Psql.to(database)) {
            psql.run("BEGIN ISOLATION LEVEL " + level + ";", ADMIT_7, "INSERT INTO ledger(line) VALUES ('one');");
            second.run("BEGIN ISOLATION LEVEL " + level + ";", ADMIT_7, "INSERT INTO ledger(line) VALUES ('two');");
            CompletableFuture<String> raised = CompletableFuture.supplyAsync(() -> raiser.run(RAISE_8));

            second.run("COMMIT;");
            LockSupport.parkNanos(100_000_000);
            assertThat(raised).isNotDone();
            // Not the raise, which waits for the same lock.
            assertThat(database.column("SELECT election FROM incumbent.admitted"))
                    .containsExactly("billing");
            psql.run("COMMIT;");

            assertThat(raised.get(10, SECONDS)).isEqualTo("raised|8|operator:me");
            assertThat(database.lines()).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void aGreaterTokenAnUnknownElectionAndNoTokenAreNotRaised() {
        assertThat(psql.run("BEGIN;", ADMIT_8, "ROLLBACK;")).contains("IF002: token 8 of billing was not raised here");
        assertThat(psql.run("SELECT incumbent.admit('unknown', 7);")).contains("IF002", "the mark is absent");
        assertThat(psql.run("SELECT incumbent.admit('billing', NULL);")).contains("IF002");
        assertThat(psql.run("SELECT incumbent.admit(NULL, 7);")).contains("IF002");
        assertThat(psql.run("SELECT incumbent.admit('billing', 'seven');")).contains("22P02");
    }

    @Test
    void aRaiseAnswersWithTheMarkInForce() {
        assertThat(psql.run("SELECT * FROM incumbent.raise('billing', 6, 'operator:you');"))
                .isEqualTo("refused|7|operator:me");
        assertThat(psql.run("SELECT * FROM incumbent.raise('billing', 9000000000000, 'operator:you');"))
                .isEqualTo("too far|7|operator:me");
        assertThat(psql.run("SELECT * FROM incumbent.raise('billing', 8, 'you');"))
                .contains("IF006");
    }

    @Test
    void aWriterMayNeitherRaiseNorTouchTheMark() {
        database.run(
                "DO $$ BEGIN CREATE ROLE writer LOGIN PASSWORD 'w'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
                "GRANT INSERT, SELECT ON ledger TO writer",
                "GRANT USAGE ON SEQUENCE ledger_id_seq TO writer");
        try (Psql writer = new Psql(database, "writer", "w")) {
            assertThat(writer.run("UPDATE incumbent.fence SET token = 9;")).contains("42501");
            assertThat(writer.run("DELETE FROM incumbent.sink;")).contains("42501");
            assertThat(writer.run(RAISE_8)).contains("42501");
            assertThat(writer.run(
                            "CREATE TEMP TABLE fence(election text, token bigint, owner text);",
                            "INSERT INTO fence VALUES ('billing', 99, 'me');",
                            "SELECT incumbent.admit('billing', 99);"))
                    .contains("IF002: token 99 of billing was not raised here: the mark is 7");

            assertThat(writer.run("BEGIN;", ADMIT_7, "INSERT INTO ledger(line) VALUES ('mine');", "COMMIT;"))
                    .doesNotContain("ERROR");
        }
        assertThat(database.lines()).containsExactly("mine");
    }

    /** What the writer's own schema has in place of PostgreSQL's functions is not called with the installer's rights. */
    @Test
    void aSearchPathOfTheClientsChangesNeitherAdmissionNorRaise() {
        database.run(
                "DROP SCHEMA IF EXISTS planted CASCADE",
                "CREATE SCHEMA planted",
                "CREATE FUNCTION planted.hashtext(text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "CREATE FUNCTION planted.md5(text) RETURNS text LANGUAGE sql AS $$SELECT 'planted'$$");
        String planted = "SET search_path = planted, pg_catalog, public;";
        try (Psql raiser = Psql.to(database)) {
            psql.run(planted, "BEGIN;", ADMIT_7, "INSERT INTO ledger(line) VALUES ('in time');");

            assertThat(database.column("SELECT election FROM incumbent.admitted"))
                    .containsExactly("billing");
            assertThat(raiser.run(planted, "SET lock_timeout = '100ms';", RAISE_8))
                    .contains("55P03");
            assertThat(psql.run("SELECT current_setting('incumbent.x' || pg_catalog.md5('billing'));"))
                    .isEqualTo("7");
            assertThat(psql.run("COMMIT;")).isEmpty();
        }
        assertThat(database.lines()).containsExactly("in time");
        database.run("DROP SCHEMA planted CASCADE");
    }

    @ParameterizedTest
    @CsvSource({"off, on", "local, on", "remote_write, on", "on, on", "remote_apply, remote_apply"})
    void aMarkIsDurableAlsoWhereTheSessionsOwnCommitsAreNot(String own, String waitsFor) {
        String printed = psql.run(
                "BEGIN;",
                "SET LOCAL synchronous_commit = " + own + ";",
                RAISE_8,
                "SHOW synchronous_commit;",
                "COMMIT;");

        assertThat(printed).isEqualTo("raised|8|operator:me\n" + waitsFor);
    }

    @Test
    void anAdmittedTransactionIsIdleForAQuarterOfAMinuteAtMostAndOnlyIt() {
        assertThat(psql.run("BEGIN;", ADMIT_7, "SHOW idle_in_transaction_session_timeout;", "COMMIT;"))
                .contains("15s");
        assertThat(psql.run("SHOW idle_in_transaction_session_timeout;")).isEqualTo("0");
        assertThat(psql.run(
                        "SET idle_in_transaction_session_timeout = '2s';",
                        "BEGIN;",
                        ADMIT_7,
                        "SHOW idle_in_transaction_session_timeout;",
                        "COMMIT;"))
                .contains("2s");
        assertThat(psql.run(
                        "SET idle_in_transaction_session_timeout = '16s';",
                        "BEGIN;",
                        ADMIT_7,
                        "SHOW idle_in_transaction_session_timeout;",
                        "COMMIT;"))
                .contains("15s");
    }

    @Test
    void anAdmittedTransactionThatIsLeftIdleIsEndedByTheDatabase() {
        psql.run("BEGIN;", "SET LOCAL idle_in_transaction_session_timeout = '200ms';", ADMIT_7);

        try (Psql raiser = Psql.to(database)) {
            assertThat(raiser.run(RAISE_8)).isEqualTo("raised|8|operator:me");
        }

        assertThat(psql.run("COMMIT;")).contains("25P03");
    }

    @Test
    void aRaiseAmongEightOverlappingWritersTakesAtMostATenthOfASecond() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(CompletableFuture.runAsync(() -> writeUntil(stop), work -> new Thread(work).start()));
        }
        List<Long> millis = new ArrayList<>();
        try (Connection raiser = database.connect();
                PreparedStatement raise =
                        raiser.prepareStatement("SELECT * FROM incumbent.raise('billing', ?, 'operator:me')")) {
            for (int number = 0; number < RAISES; number++) {
                LockSupport.parkNanos(150_000_000);
                raise.setLong(1, 8 + number);
                long began = System.nanoTime();
                raise.execute();
                millis.add((System.nanoTime() - began) / 1_000_000);
            }
        } finally {
            stop.set(true);
        }
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(10, SECONDS);

        millis.sort(null);
        System.out.println("raise against 8 overlapping 20 ms writers, ms: " + millis);
        assertThat(millis.get(RAISES / 2)).as("median of %s", millis).isLessThanOrEqualTo(100);
        assertThat(database.lines()).hasSizeGreaterThan(WRITERS);
    }

    /** Transactions of 20 ms each, with whatever token is in force. */
    private void writeUntil(AtomicBoolean stop) {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            while (!stop.get()) {
                Installation.execute(
                        connection,
                        "SELECT incumbent.admit('billing', (SELECT token FROM incumbent.fence WHERE election = 'billing'));"
                                + " INSERT INTO ledger(line) VALUES ('busy'); SELECT pg_sleep(0.02)");
                connection.commit();
            }
        } catch (SQLException refused) {
            if (!String.valueOf(refused.getSQLState()).startsWith("IF")) {
                throw new IllegalStateException(refused);
            }
            writeUntil(stop);
        }
    }
}
