package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A plain client's admission that was given back in the middle of its transaction: the database does not believe that it is still there. MariaDB keeps a lock to the
 * end of the transaction, and with it the admission.
 */
class AdmissionLostTest {
    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(PostgresDatabase.create(), "SELECT incumbent.admit('billing', 7)");
        }
    }

    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(H2Database.create(), "CALL incumbent_admit('billing', 7)");
        }

        /** What a failed statement locked, H2 gives back, a guard's admission too. */
        @Test
        void aGuardedWriteThatFailsDoesNotPassForAnAdmission() throws Exception {
            database.run("CREATE UNIQUE INDEX once ON guarded(line)", "INSERT INTO other VALUES (9)");
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                Installation.execute(connection, admission);
                connection.commit();
                Installation.execute(connection, "INSERT INTO other VALUES (1)");
                Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('one')");
                connection.commit();
                Installation.execute(connection, "INSERT INTO other VALUES (2)");
                assertThatThrownBy(() -> Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('one')"))
                        .hasMessageContaining("Unique");
                Leader.raise(database, 8);

                assertStale(() -> Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('late')"));
                connection.rollback();
            }
            assertThat(database.column("SELECT line FROM guarded")).containsExactly("one");
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        final Database database;
        final String admission;

        Sentences(Database database, String admission) {
            this.database = database;
            this.admission = admission;
        }

        @BeforeEach
        void guard() {
            database.run("CREATE TABLE other(id int)", "CREATE TABLE guarded(line varchar(20))");
            new SqlSinkProvider().guard(database.url(), "guarded", Leader.BILLING);
            Leader.raise(database, 7);
        }

        @AfterEach
        void close() {
            database.run("DROP TABLE guarded", "DROP TABLE other");
            database.close();
        }

        @Test
        void anAdmissionTakenBackToASavepointIsDecidedAnew() throws Exception {
            try (Connection connection = takenBack()) {
                Leader.raise(database, 8);

                assertStale(() -> Installation.execute(connection, admission));
                connection.rollback();
            }
        }

        @Test
        void aGuardDoesNotBelieveAnAdmissionTakenBackToASavepoint() throws Exception {
            try (Connection connection = takenBack()) {
                Leader.raise(database, 8);

                assertThatThrownBy(() -> Installation.execute(connection, "INSERT INTO guarded(line) VALUES ('late')"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(refused.getSQLState()).isIn("IF001", "IF003"));
                connection.rollback();
            }
            assertThat(database.column("SELECT line FROM guarded")).isEmpty();
        }

        /** In a transaction that has written before, and is admitted after a savepoint. */
        private Connection takenBack() throws SQLException {
            Connection connection = database.connect();
            connection.setAutoCommit(false);
            Installation.execute(connection, "INSERT INTO other VALUES (1)");
            Installation.execute(connection, "SAVEPOINT before_it");
            Installation.execute(connection, admission);
            Installation.execute(connection, "ROLLBACK TO SAVEPOINT before_it");
            return connection;
        }

        static void assertStale(ThrowingCallable write) {
            assertThatThrownBy(write)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("IF001"));
        }
    }
}
