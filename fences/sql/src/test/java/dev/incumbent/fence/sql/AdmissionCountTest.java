package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How often a fenced connection asks its fence: a transaction is admitted once, however many statements it has. What is counted is executed text that names the fence, on its way to the driver. */
class AdmissionCountTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final FencingToken SEVEN = new FencingToken(7);
    private static final int MANY = 6;

    @Nested
    class OnPostgres extends Counts {
        OnPostgres() {
            super(PostgresDatabase.create(), 1, 0);
        }
    }

    @Nested
    class OnMariaDb extends Counts {
        OnMariaDb() {
            super(MariaDbDatabase.create(), 1, 0);
        }
    }

    @Nested
    class OnH2 extends Counts {
        OnH2() {
            super(H2Database.create(), 2, 0); // before the commit: is it admitted still?
        }
    }

    @Nested
    class OnSqlite extends Counts {
        OnSqlite() {
            // a savepoint, the files, and before the commit: is it admitted still? Once, in which database the fence is
            super(SqliteDatabase.create(), 4, 1);
        }
    }

    abstract static class Counts {
        private final Database database;
        private final int atMost;
        private final int once;
        private final List<String> asked = new ArrayList<>();

        /** Of one transaction so many texts name the fence, at most, and of a connection's first one so many more. */
        Counts(Database database, int atMost, int once) {
            this.database = database;
            this.atMost = atMost;
            this.once = once;
            Leader.raise(database, SEVEN.value());
        }

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        void aTransactionIsAdmittedOnceHoweverManyStatementsItHas() throws SQLException {
            try (Connection connection = fenced()) {
                connection.setAutoCommit(false);
                for (int transactions = 1; transactions <= 3; transactions++) {
                    asked.clear();
                    for (int i = 1; i <= MANY; i++) {
                        Leader.insert(connection, "line " + i);
                    }
                    connection.commit();

                    assertThat(admissions()).as("transaction " + transactions).hasSize(1);
                    assertThat(asked)
                            .as("transaction " + transactions)
                            .hasSizeLessThanOrEqualTo(transactions == 1 ? atMost + once : atMost);
                }
            }
            assertThat(database.lines()).hasSize(3 * MANY);
        }

        /** Each is a transaction of its own, also one that was rolled back. */
        @Test
        void eachTransactionIsAdmittedAnew() throws SQLException {
            try (Connection connection = fenced()) {
                connection.setAutoCommit(false);
                for (int transactions = 1; transactions <= 3; transactions++) {
                    Leader.insert(connection, "line");
                    if (transactions == 2) {
                        connection.rollback();
                    } else {
                        connection.commit();
                    }
                }
            }
            assertThat(admissions()).hasSize(3);
            assertThat(database.lines()).hasSize(2);
        }

        /** A commit that follows another, or a rollback, has nothing to admit. */
        @Test
        void whereNothingIsExecutedNothingIsAdmitted() throws SQLException {
            try (Connection connection = fenced()) {
                connection.setAutoCommit(false);
                connection.commit();
                Leader.insert(connection, "line");
                connection.commit();
                asked.clear();

                connection.commit();
                connection.rollback();
                connection.rollback();
            }
            assertThat(admissions()).isEmpty();
        }

        private List<String> admissions() {
            return asked.stream()
                    .filter(text -> text.contains("incumbent_admit(") || text.contains("incumbent.admit("))
                    .toList();
        }

        private Connection fenced() throws SQLException {
            Connection within = database.connect();
            return FencedConnection.over(counted(within), BILLING, SEVEN);
        }

        private Connection counted(Connection within) {
            return Calls.proxy(Connection.class, (proxy, method, arguments) -> {
                Object answer = method.getName().equals("unwrap")
                        ? within.unwrap((Class<?>) arguments[0])
                        : Calls.call(within, method, arguments);
                return answer instanceof Statement statement ? counted(statement, arguments) : answer;
            });
        }

        private Object counted(Statement within, @Nullable Object @Nullable [] prepared) {
            Class<? extends Statement> type = within instanceof CallableStatement
                    ? CallableStatement.class
                    : within instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
            return Calls.proxy(type, (proxy, method, arguments) -> {
                count(method, within instanceof PreparedStatement ? prepared : arguments);
                return Calls.call(within, method, arguments);
            });
        }

        private void count(Method method, @Nullable Object @Nullable [] texts) {
            boolean executes = method.getName().startsWith("execute");
            if (executes && texts != null && texts.length > 0) {
                String text = String.valueOf(texts[0]).toLowerCase(Locale.ROOT);
                if (text.contains("incumbent")) {
                    asked.add(text);
                }
            }
        }
    }
}
