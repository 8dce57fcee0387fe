package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a guard on a table of the user's stops, on each server: whoever forgets to ask, and whoever goes on after a refusal. */
class ServerGuardTest {
    private static final ElectionName BILLING = new ElectionName("billing");

    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(PostgresDatabase.create());
        }

        @Test
        void truncateMergeAndCopyAreRefusedToo() {
            try (Psql psql = Psql.to((PostgresDatabase) database)) {
                assertThat(psql.run("TRUNCATE guarded;")).contains("IF003: not admitted: truncate of guarded");
                assertThat(psql.run("MERGE INTO guarded USING (VALUES ('late')) late(line) ON false"
                                + " WHEN NOT MATCHED THEN INSERT VALUES (late.line);"))
                        .contains("IF003");
                assertThat(psql.run("COPY guarded(line) FROM STDIN;", "late", "\\."))
                        .contains("IF003");
                assertThat(psql.run(
                                "BEGIN;",
                                "SELECT set_config('incumbent.x' || md5('billing'), '6', true);",
                                "INSERT INTO guarded(line) VALUES ('late');",
                                "COMMIT;"))
                        .contains("IF001: stale token 6");
            }
            assertThat(database.column("SELECT line FROM guarded")).containsExactly("first");
        }

        @Test
        void anAdmissionIsBorneByItsTransactionAlone() throws Exception {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                JdbcFence.over(connection).admit(BILLING, new FencingToken(7));
                connection.commit();
                Installation.execute(connection, "SELECT incumbent.admit('billing', 7)");
                connection.commit();

                assertThatThrownBy(() -> Installation.execute(connection, "DELETE FROM guarded"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(refused.getSQLState()).isEqualTo("IF003"));
                connection.rollback();
            }
        }

        @Test
        void aPartitionIsGuardedWithItsTableAndOneThatIsAddedOnceItIsInstalledAgain() {
            database.run(
                    "CREATE TABLE parted(line text) PARTITION BY LIST (line)",
                    "CREATE TABLE part PARTITION OF parted DEFAULT");
            new SqlSinkProvider().guard(database.url(), "parted", BILLING);

            assertThatThrownBy(() -> write("INSERT INTO part VALUES ('late')")).hasMessageContaining("not admitted");
            assertThatThrownBy(() -> write("INSERT INTO parted VALUES ('late')"))
                    .hasMessageContaining("not admitted");
            database.run(
                    "CREATE TABLE later PARTITION OF parted FOR VALUES IN ('later')",
                    "INSERT INTO later VALUES ('later')");
            new SqlSinkProvider().guard(database.url(), "parted", BILLING);
            assertThatThrownBy(() -> write("INSERT INTO later VALUES ('later')"))
                    .hasMessageContaining("not admitted");
            database.run("DROP TABLE parted");
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(MariaDbDatabase.create());
        }

        /** What a session was admitted to is noted in a variable, which holds some thousand characters. */
        @Test
        void aSessionMayBeAdmittedToAnyNumberOfElections() throws Exception {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                for (int i = 0; i < 25; i++) {
                    ElectionName other = new ElectionName("x".repeat(200) + i);
                    raise(other, 1);
                    JdbcFence.over(connection).admit(other, new FencingToken(1));
                    connection.commit();
                }
                JdbcFence.over(connection).admit(BILLING, new FencingToken(7));
                Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('second')");
                connection.commit();
            }
            assertThat(database.column("SELECT line FROM guarded ORDER BY line"))
                    .containsExactly("first", "second");
        }
    }

    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(H2Database.create());
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        final Database database;

        Sentences(Database database) {
            this.database = database;
        }

        @BeforeEach
        void guard() {
            database.run("CREATE TABLE guarded(line varchar(20))", "INSERT INTO guarded(line) VALUES ('first')");
            new SqlSinkProvider().guard(database.url(), "guarded", BILLING);
            raise(7);
        }

        @AfterEach
        void close() {
            database.run("DROP TABLE guarded");
            database.close();
        }

        void raise(long to) {
            raise(BILLING, to);
        }

        void raise(ElectionName election, long to) {
            try (Sink sink = new SqlSinkProvider().open(database.url(), Duration.ofSeconds(10))) {
                sink.raise(election, new Mark(new FencingToken(to), MarkOwner.ofOperator("me")))
                        .toCompletableFuture()
                        .join();
            }
        }

        void write(String sql) throws SQLException {
            try (Connection connection = database.connect()) {
                Installation.execute(connection, sql);
            }
        }

        @Test
        void aForgetfulWriterIsRefusedWhateverItWrites() {
            for (String forgetful : new String[] {
                "INSERT INTO guarded(line) VALUES ('late')", "UPDATE guarded SET line = 'late'", "DELETE FROM guarded"
            }) {
                assertThatThrownBy(() -> write(forgetful))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("not admitted")
                        .satisfies(failure -> assertThat(((SQLException) failure).getSQLState())
                                .isEqualTo("IF003"));
            }
            assertThat(database.column("SELECT line FROM guarded")).containsExactly("first");
        }

        @Test
        void theLeaderWritesAndTheOneBeforeDoesNot() throws Exception {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                JdbcFence.over(connection).admit(BILLING, new FencingToken(7));
                Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('second')");
                Installation.execute(connection, "UPDATE guarded SET line = 'changed' WHERE line = 'first'");
                connection.commit();
                raise(8);

                assertThatThrownBy(() -> Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('late')"))
                        .isInstanceOf(SQLException.class);
                connection.rollback();
            }
            assertThat(database.column("SELECT line FROM guarded ORDER BY line"))
                    .containsExactly("changed", "second");
        }

        /** As one from a pool is, of a process that leads again. */
        @Test
        void aConnectionBearsTheTokenThatItWasAdmittedWithLast() throws Exception {
            raise(new ElectionName("other"), 3);
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                for (long token = 7; token <= 9; token++) {
                    raise(token);
                    JdbcFence.over(connection).admit(new ElectionName("other"), new FencingToken(3));
                    JdbcFence.over(connection).admit(BILLING, new FencingToken(token));
                    Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('of term " + token + "')");
                    connection.commit();
                }
            }
            assertThat(database.column("SELECT line FROM guarded ORDER BY line"))
                    .containsExactly("first", "of term 7", "of term 8", "of term 9");
        }

        /** Nor is one whose name ends or begins alike, and whose token is the same. */
        @Test
        void anAdmissionToAnotherElectionIsNone() throws Exception {
            for (String name : List.of("x" + BILLING, BILLING + "x")) {
                ElectionName other = new ElectionName(name);
                raise(other, 7);
                try (Connection connection = database.connect()) {
                    connection.setAutoCommit(false);
                    JdbcFence.over(connection).admit(other, new FencingToken(7));

                    assertThatThrownBy(() -> Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('x')"))
                            .hasMessageContaining("not admitted");
                    connection.rollback();
                }
            }
        }

        @Test
        void aGuardForAnotherElectionTakesItsPlace() throws Exception {
            ElectionName reports = new ElectionName("reports/daily");
            new SqlSinkProvider().guard(database.url(), "guarded", reports);

            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                JdbcFence.over(connection).admit(BILLING, new FencingToken(7));
                assertThatThrownBy(() -> Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('x')"))
                        .hasMessageContaining("reports/daily");
                connection.rollback();
            }
        }

        @Test
        void aTableThatIsNotThereIsNamed() {
            assertThatThrownBy(() -> new SqlSinkProvider().guard(database.url(), "absent", BILLING))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("has no table absent");
        }
    }
}
