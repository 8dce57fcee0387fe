package dev.incumbent.fence.sql;

import static dev.incumbent.fence.sql.Leader.ofTerm7;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would commit in the middle of a batch, or of a text, is refused: the rest would be committed without an admission. */
class CommitInTheMiddleTest {
    private static final String WRITE = "INSERT INTO ledger(line) VALUES ('late')";

    @Nested
    class OnMariaDb extends SentencesOfThoseThatSwitch {
        OnMariaDb() {
            super(MariaDbDatabase.create());
        }

        @Override
        Connection plain() throws SQLException {
            return DriverManager.getConnection(database.url() + "&allowMultiQueries=true");
        }

        @ParameterizedTest
        @ValueSource(strings = {"BEGIN", "START TRANSACTION"})
        void aBeginningIsNoPartOfABatch(String begin) {
            assertRefusedInABatch(begin);
        }

        @Test
        void aSettingThatDoesNotCommitMayStandAnywhere() throws Exception {
            try (Connection connection = ofTerm7(plain())) {
                Installation.execute(connection, "SET @x = 1; " + WRITE);
                batch(connection, "SET innodb_lock_wait_timeout = 3", WRITE);

                assertThat(database.lines()).isEmpty();
                connection.rollback();
            }
        }
    }

    @Nested
    class OnMySql extends SentencesOfThoseThatSwitch {
        OnMySql() {
            super(MySqlDatabase.create());
        }

        @Override
        Connection plain() throws SQLException {
            return DriverManager.getConnection(database.url() + "&allowMultiQueries=true");
        }
    }

    /** Most of its settings commit; after {@code BEGIN} the next one turns autocommit on. */
    @Nested
    class OnH2 extends SentencesOfThoseThatSwitch {
        OnH2() {
            super(H2Database.create());
        }

        @ParameterizedTest
        @ValueSource(strings = {"BEGIN", "SET CACHE_SIZE 1000"})
        void aBeginningOrASettingIsNoPartOfABatchAndStandsLastInAText(String commits) {
            assertRefusedInABatch(commits);
            assertRefused(
                    connection -> Installation.execute(connection, commits + "; " + WRITE),
                    "before other statements of the same text is refused on a fenced connection: it may end the admission"
                            + " of token 7 of billing before they are executed; send it by itself");
        }
    }

    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(PostgresDatabase.create());
        }
    }

    @Nested
    class OnSqlite extends Sentences {
        OnSqlite() {
            super(SqliteDatabase.create());
        }
    }

    /** Of the databases where text switches autocommit. */
    abstract static class SentencesOfThoseThatSwitch extends Sentences {
        SentencesOfThoseThatSwitch(Database database) {
            super(database);
        }

        @ParameterizedTest
        @ValueSource(strings = {"SET autocommit = 1", "set /* */ AutoCommit = 0"})
        void autocommitIsNotSwitchedByText(String text) {
            for (boolean autocommit : new boolean[] {false, true}) {
                assertRefused(
                        connection -> {
                            connection.setAutoCommit(autocommit);
                            Installation.execute(connection, text);
                        },
                        "autocommit is switched by setAutoCommit");
            }
            assertRefused(connection -> batch(connection, text, WRITE), "autocommit is switched by setAutoCommit");
            assertRefused(
                    connection -> Installation.execute(connection, text + "; " + WRITE),
                    "autocommit is switched by setAutoCommit");
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        final Database database;

        Sentences(Database database) {
            this.database = database;
        }

        Connection plain() throws SQLException {
            return database.connect();
        }

        @BeforeEach
        void raiseTo7() {
            Leader.raise(database, 7);
        }

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        void aPreparedTextThatCommitsIsNoBatch() throws Exception {
            try (Connection connection = ofTerm7(plain());
                    PreparedStatement write = connection.prepareStatement(WRITE + "; COMMIT")) {
                assertThatThrownBy(write::addBatch).hasMessageStartingWith("COMMIT, which may end a transaction, is");
            }
        }

        final void assertRefusedInABatch(String text) {
            assertRefused(
                    connection -> batch(connection, WRITE, text, WRITE, text),
                    "which may end a transaction, is refused in a batch on a fenced connection: the admission of token 7"
                            + " of billing would end before the rest of the batch; execute it by itself");
        }

        /** One call of a fenced connection. */
        interface Call {
            void on(Connection connection) throws SQLException;
        }

        final void assertRefused(Call call, String sentence) {
            ThrowingCallable called = () -> {
                try (Connection connection = ofTerm7(plain())) {
                    call.on(connection);
                }
            };
            assertThatThrownBy(called)
                    .hasMessageContaining(sentence)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("0A000"));
            assertThat(database.lines()).isEmpty();
        }

        static void batch(Connection connection, String... texts) throws SQLException {
            try (Statement batch = connection.createStatement()) {
                for (String text : texts) {
                    batch.addBatch(text);
                }
                batch.executeBatch();
            }
        }
    }
}
