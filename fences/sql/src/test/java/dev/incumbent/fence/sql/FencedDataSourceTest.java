package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.StringReader;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Code that knows nothing of fences, over a pool with a {@link FencedDataSource} around it, on each server. */
class FencedDataSourceTest {
    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(PostgresDatabase.create());
        }

        @Test
        void theRowsOfAnArrayLeadBackToTheFencedConnectionAndItCanBeBoundAgain() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    PreparedStatement ask = connection.prepareStatement("SELECT ?::int[]")) {
                Array made = connection.createArrayOf("int", new Integer[] {1, 2});
                ask.setArray(1, made);
                try (ResultSet rows = ask.executeQuery()) {
                    rows.next();
                    assertLeadsBack(rows.getArray(1), connection);
                    assertLeadsBack((Array) rows.getObject(1), connection);
                    assertLeadsBack(made, connection);
                    ask.setObject(1, rows.getArray(1));
                }
                try (ResultSet again = ask.executeQuery()) {
                    again.next();
                    assertThat((Object[]) again.getArray(1).getArray()).containsExactly(1, 2);
                }
            }
        }

        private static void assertLeadsBack(Array array, Connection connection) throws SQLException {
            try (ResultSet elements = array.getResultSet()) {
                assertThat(elements.next()).isTrue();
                assertThat(elements.getInt(2)).isEqualTo(1);
                Statement from = elements.getStatement();
                assertThat(from == null || connection.equals(from.getConnection()))
                        .isTrue();
            }
            assertThatThrownBy(() -> array.getResultSet().unwrap(org.postgresql.jdbc.PgResultSet.class))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(MariaDbDatabase.create());
        }
    }

    @Nested
    class OnMySql extends Sentences {
        OnMySql() {
            super(MySqlDatabase.create());
        }
    }

    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(H2Database.create());
        }
    }

    @Nested
    class OnSqlite extends Sentences {
        OnSqlite() {
            super(SqliteDatabase.create());
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        private static final ElectionName BILLING = new ElectionName("billing");

        private final Database database;
        private final AtomicLong token = new AtomicLong(7);
        private final HikariDataSource pool;
        final DataSource fenced;

        Sentences(Database database) {
            this.database = database;
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setMaximumPoolSize(3);
            pool = new HikariDataSource(config);
            fenced = FencedDataSource.over(pool, BILLING, () -> new FencingToken(token.get()));
        }

        @BeforeEach
        void raiseTo7() {
            raise(7);
        }

        @AfterEach
        void close() {
            pool.close();
            database.close();
        }

        private void raise(long to) {
            try (Sink sink = new SqlSinkProvider().open(database.url(), Duration.ofSeconds(10))) {
                sink.raise(BILLING, new Mark(new FencingToken(to), MarkOwner.ofOperator("me")))
                        .toCompletableFuture()
                        .join();
            }
        }

        @Test
        void whatTheLeaderWritesIsWritten() throws SQLException {
            try (Connection connection = fenced.getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, "one");
                insert(connection, "two");
                connection.commit();
                insert(connection, "three");
                connection.commit();
            }

            assertThat(database.lines()).containsExactly("one", "two", "three");
        }

        @Test
        void whatIsBegunAfterTheRaiseIsStale() throws SQLException {
            try (Connection connection = fenced.getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, "in time");
                connection.commit();
                raise(8);

                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void aConnectionBearsTheTokenThatItWasTakenWith() throws SQLException {
            try (Connection old = fenced.getConnection()) {
                token.set(9);
                raise(9);

                assertStale(() -> insert(old, "late"));
            }
            try (Connection current = fenced.getConnection()) {
                insert(current, "of term 9");
            }
            assertThat(database.lines()).containsExactly("of term 9");
        }

        @Test
        void inAutocommitEachStatementIsATransactionOfItsOwn() throws SQLException {
            try (Connection connection = fenced.getConnection()) {
                insert(connection, "one");
                assertThat(connection.getAutoCommit()).isTrue();
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("SELECT line FROM ledger")) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getString(1)).isEqualTo("one");
                }
                raise(8);

                assertStale(() -> insert(connection, "late"));
                assertThat(connection.getAutoCommit()).isTrue();
            }
            assertThat(database.lines()).containsExactly("one");
        }

        /** A cursor would end with the transaction. */
        @Test
        void inAutocommitEveryRowIsReadWhateverTheFetchSize() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String line : List.of("one", "two", "three")) {
                    insert(connection, line);
                }
                statement.setFetchSize(1);
                try (ResultSet row = statement.executeQuery("SELECT line FROM ledger ORDER BY id")) {
                    List<String> lines = new ArrayList<>();
                    while (row.next()) {
                        lines.add(row.getString(1));
                    }
                    assertThat(lines).containsExactly("one", "two", "three");
                }
            }
        }

        @Test
        void beginAsTextInAutocommitIsRefused() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute("BEGIN"))
                        .hasMessageContaining("begin one with setAutoCommit(false), and not by text");
            }
        }

        @Test
        void aBatchAndAPlainStatementAreFencedToo() throws SQLException {
            try (Connection connection = fenced.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement batch = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
                    for (String line : List.of("one", "two")) {
                        batch.setString(1, line);
                        batch.addBatch();
                    }
                    batch.executeBatch();
                }
                connection.commit();
                raise(8);
                try (Statement statement = connection.createStatement()) {
                    assertStale(() -> statement.execute("INSERT INTO ledger(line) VALUES ('late')"));
                }
                connection.rollback();
            }
            assertThat(database.lines()).containsExactly("one", "two");
        }

        @Test
        void onePreparedStatementServesManyTransactions() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
                connection.setAutoCommit(false);
                for (String line : List.of("one", "two", "three")) {
                    insert.setString(1, line);
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                    insert.clearParameters();
                    insert.setString(1, line + ", again");
                    assertThat(insert.execute()).isFalse();
                    assertThat(insert.getUpdateCount()).isEqualTo(1);
                    assertThat(insert.getMoreResults()).isFalse();
                    connection.commit();
                }
                raise(8);
                insert.setString(1, "late");

                assertStale(insert::executeUpdate);
                connection.rollback();
            }
            assertThat(database.lines())
                    .containsExactly("one", "one, again", "two", "two, again", "three", "three, again");
        }

        @Test
        void aQueryMayComeFirst() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    PreparedStatement query =
                            connection.prepareStatement("SELECT count(*) FROM ledger WHERE line = ?")) {
                connection.setAutoCommit(false);
                query.setString(1, "one");
                try (ResultSet row = query.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getLong(1)).isZero();
                }
                insert(connection, "one");
                connection.commit();
                assertThat(query.execute()).isTrue();
                try (ResultSet row = query.getResultSet()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getLong(1)).isEqualTo(1);
                }
                connection.commit();
                raise(8);

                assertStale(query::executeQuery);
                connection.rollback();
            }
        }

        @Test
        void aStatementWithAStreamOrALimitIsFencedToo() throws SQLException {
            try (Connection connection = fenced.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
                    insert.setCharacterStream(1, new StringReader("one"), 3);
                    insert.executeUpdate();
                    connection.commit();
                    insert.setQueryTimeout(30);
                    insert.setString(1, "two");
                    insert.executeUpdate();
                    connection.commit();
                    raise(8);
                    insert.setString(1, "late");
                    assertStale(insert::executeUpdate);
                }
                connection.rollback();
            }
            assertThat(database.lines()).containsExactly("one", "two");
        }

        @Test
        void aFirstStatementThatFailsAdmitsNothing() throws SQLException {
            try (Connection connection = fenced.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement broken = connection.prepareStatement("INSERT INTO ledger(line) VALUES (NULL)")) {
                    assertThatThrownBy(broken::executeUpdate)
                            .isInstanceOf(SQLException.class)
                            .hasMessageMatching("(?is).*null.*");
                }
                connection.rollback();
                raise(8);

                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void aCommitInTextEndsTheAdmissionToo() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                insert(connection, "in time");
                statement.execute("COMMIT");
                raise(8);

                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void aRollbackToASavepointKeepsTheAdmission() throws Exception {
            try (Connection connection = fenced.getConnection()) {
                connection.setAutoCommit(false);
                Savepoint before = connection.setSavepoint();
                insert(connection, "taken back");
                connection.rollback(before);
                var raise = new Thread(() -> raise(8));
                raise.start();
                raise.join(200);

                assertThat(raise.isAlive()).as("the raise waits").isTrue();
                connection.rollback();
                raise.join(10_000);
                assertThat(raise.isAlive()).isFalse();
            }
        }

        @Test
        void whereNobodyRaisedNothingIsWritten() throws SQLException {
            token.set(8);
            try (Connection connection = fenced.getConnection()) {
                assertThatThrownBy(() -> insert(connection, "early"))
                        .isInstanceOf(SQLException.class)
                        .hasCauseInstanceOf(NotRaisedException.class);
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void thereIsNoWayPastIt() throws SQLException {
            try (Connection connection = fenced.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThat(statement.getConnection()).isEqualTo(connection);
                assertThatThrownBy(() -> connection.unwrap(org.postgresql.PGConnection.class))
                        .isInstanceOf(SQLException.class);
                assertThat(fenced.isWrapperFor(HikariDataSource.class)).isFalse();
                assertThat(connection.getMetaData().getConnection()).isEqualTo(connection);
                try (ResultSet tables = connection.getMetaData().getTables(null, "public", "ledger", null)) {
                    assertThat(tables.getStatement()).isNull();
                }
                try (ResultSet rows = statement.executeQuery("SELECT line FROM ledger")) {
                    assertThat(rows.getStatement()).isSameAs(statement);
                }
                assertThatThrownBy(() ->
                                connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE))
                        .isInstanceOf(SQLException.class);
            }
        }

        private static void insert(Connection connection, String line) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
                insert.setString(1, line);
                insert.executeUpdate();
            }
        }

        private static void assertStale(org.assertj.core.api.ThrowableAssert.ThrowingCallable write) {
            assertThatThrownBy(write)
                    .isInstanceOf(SQLException.class)
                    .hasCauseInstanceOf(StaleTokenException.class)
                    .satisfies(failure ->
                            assertThat(((SQLException) failure).getSQLState()).isEqualTo("IF001"));
        }
    }
}
