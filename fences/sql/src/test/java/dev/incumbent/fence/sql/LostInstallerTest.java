package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Procedures and triggers run with the rights of the account that made them, and fail once it is dropped: whoever installs next makes them again. */
@Tag("field")
class LostInstallerTest {
    private static final SqlSinkProvider PROVIDER = new SqlSinkProvider();
    private static final String ADMIT_8 = "CALL incumbent_admit('billing', 8)";
    private static final String WRITE = "INSERT INTO ledger(line) VALUES ('one')";

    /** The same of both servers. Each test has a database of its own, beside the one that its accounts are named after. */
    abstract static class Sentences {
        final Database keepers = keepers();
        private final String beside = keepers.column("SELECT database()").get(0);
        final String name = beside + "_lost";
        final String url = keepers.url().replace("/" + beside + "?", "/" + name + "?");

        abstract Database keepers();

        abstract String password();

        @BeforeEach
        void installAsSomebodyWhoLeaves() {
            keepers.run(
                    "CREATE DATABASE " + name,
                    "CREATE TABLE " + name
                            + ".ledger(id bigint AUTO_INCREMENT PRIMARY KEY, line varchar(200) NOT NULL)");
            for (String user : List.of("installer", "writer", "successor")) {
                keepers.run("CREATE USER " + account(user) + " IDENTIFIED BY 'r'");
            }
            keepers.run(
                    "GRANT ALL ON " + name + ".* TO " + account("installer"),
                    "GRANT ALL ON " + name + ".* TO " + account("successor"),
                    "GRANT INSERT ON " + name + ".ledger TO " + account("writer"));
            PROVIDER.install(of("installer"));
            PROVIDER.guard(of("installer"), "ledger", Leader.BILLING);
            keepers.run("GRANT EXECUTE ON PROCEDURE " + name + ".incumbent_admit TO " + account("writer"));
            Leader.raise(url, 7);
        }

        @AfterEach
        void close() {
            keepers.run("DROP DATABASE " + name);
            for (String user : List.of("installer", "writer", "successor")) {
                keepers.run("DROP USER IF EXISTS " + account(user));
            }
            keepers.close();
        }

        @Test
        void aFenceWhoseInstallerIsGoneIsMadeAgainWithItsMarksRightsAndGuards() throws Exception {
            keepers.run("DROP USER " + account("installer"));
            assertThatThrownBy(() -> Leader.raise(url, 8))
                    .hasMessageContaining("is gone: install it again, incumbent fence install");
            assertThatThrownBy(() -> run(url, WRITE)).hasStackTraceContaining("as a definer");

            PROVIDER.install(url);

            Leader.raise(url, 8);
            assertGuarded();
            assertThat(keepers.column("SELECT definer FROM information_schema.routines WHERE routine_schema = '" + name
                            + "' UNION SELECT definer FROM information_schema.triggers WHERE trigger_schema = '" + name
                            + "'"))
                    .containsExactly("keeper@%");
        }

        /** The account stays. With all rights on the database it loses the one to execute its own procedures, too. */
        @ParameterizedTest
        @ValueSource(strings = {"ALL PRIVILEGES", "SELECT, INSERT, UPDATE"})
        void aFenceWhoseInstallerLostItsRightsIsMadeAgainWithItsGuards(String rights) throws Exception {
            keepers.run("REVOKE " + rights + " ON " + name + ".* FROM " + account("installer"));
            assertThatThrownBy(() -> Leader.raise(url, 8))
                    .hasMessageContaining("has lost rights: install it again, incumbent fence install");

            PROVIDER.install(url);

            Leader.raise(url, 8);
            assertGuarded();
            assertThat(keepers.column("SELECT definer FROM information_schema.routines WHERE routine_schema = '" + name
                            + "' UNION SELECT definer FROM information_schema.triggers WHERE trigger_schema = '" + name
                            + "'"))
                    .containsExactly("keeper@%");
        }

        final void assertGuarded() throws SQLException {
            assertThatThrownBy(() -> run(of("writer"), WRITE)).hasStackTraceContaining("not admitted");
            try (Connection writer = DriverManager.getConnection(of("writer"))) {
                writer.setAutoCommit(false);
                assertThatThrownBy(() -> Installation.execute(writer, ADMIT_8.replace("8", "7")))
                        .hasMessageContaining("stale token 7 of billing");
                Installation.execute(writer, ADMIT_8);
                Installation.execute(writer, WRITE);
                writer.commit();
            }
            assertThat(keepers.column("SELECT line FROM " + name + ".ledger")).containsExactly("one");
        }

        /** A writer that never asks tries all the while. Two hosts are set up at once. */
        @Test
        void whileAGuardIsPutInPlaceOfAnotherNoWritePasses() throws Exception {
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Integer> tries = CompletableFuture.supplyAsync(() -> tries(isOver));
            CompletableFuture<Void> other = CompletableFuture.runAsync(this::guardByTurns);
            guardByTurns();
            other.join();
            isOver.set(true);

            assertThat(tries.join()).isGreaterThan(20);
            assertThat(keepers.column("SELECT line FROM " + name + ".ledger")).isEmpty();
            Leader.raise(url, 8);
            assertGuarded();
        }

        /** Whoever may make triggers on one table gives one the name of a guard. Made again, it would run with the rights of whoever installs. */
        @Test
        void aTriggerThatOnlyHasAGuardsNameIsNotMadeAgain() throws Exception {
            String strange = "incumbent_guards_other_insert_new";
            keepers.run(
                    "CREATE TABLE " + name + ".other(line varchar(200))",
                    "CREATE DEFINER = " + account("writer") + " TRIGGER " + name + "." + strange
                            + " BEFORE INSERT ON " + name
                            + ".other FOR EACH ROW UPDATE incumbent_fence SET owner = 'operator:me'");

            assertThatThrownBy(() -> PROVIDER.install(url))
                    .hasMessageContaining("does something else, and was left as it is: " + strange + " of table other");

            assertThat(keepers.column("SELECT definer FROM information_schema.triggers WHERE trigger_schema = '" + name
                            + "' AND event_object_table = 'other'"))
                    .containsExactly("writer_" + name + "@%");
            Leader.raise(url, 8);
            assertGuarded();
        }

        private void guardByTurns() {
            for (int i = 0; i < 20; i++) {
                PROVIDER.guard(url, "ledger", i % 2 == 0 ? new ElectionName("other") : Leader.BILLING);
            }
        }

        private int tries(AtomicBoolean isOver) {
            int tries = 0;
            try (Connection forgetful = DriverManager.getConnection(of("writer"))) {
                while (!isOver.get()) {
                    tries++;
                    try {
                        Installation.execute(forgetful, WRITE);
                    } catch (SQLException refused) {
                        assertThat(refused.getMessage()).contains("not admitted");
                    }
                }
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
            return tries;
        }

        final String account(String user) {
            return user + "_" + name + "@'%'";
        }

        final String of(String user) {
            return url.replace("user=keeper", "user=" + user + "_" + name)
                    .replace("password=" + password(), "password=r");
        }

        static void run(String url, String sql) throws SQLException {
            try (Connection connection = DriverManager.getConnection(url)) {
                Installation.execute(connection, sql);
            }
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        @Override
        Database keepers() {
            return MariaDbDatabase.create();
        }

        @Override
        String password() {
            return MariaDbServer.PASSWORD;
        }
    }

    @Nested
    class OnMySql extends Sentences {
        private static final String COMMENT = "SELECT routine_comment FROM information_schema.routines"
                + " WHERE routine_name = 'incumbent_admit' AND routine_schema = '";

        @Override
        Database keepers() {
            return MySqlDatabase.create();
        }

        @Override
        String password() {
            return MySqlServer.PASSWORD;
        }

        /** MySQL forgets rights with a procedure, and this successor may neither see nor give them. */
        @Test
        void aSuccessorThatMayNotSeeWhoHadRightsMakesItAgainAndSaysSo() throws Exception {
            keepers.run("DROP USER " + account("installer"));

            assertThatThrownBy(() -> PROVIDER.install(of("successor")))
                    .hasMessageContaining(
                            "the account that had installed it is gone, or has lost rights, and not all could be made again")
                    .hasMessageContaining("MySQL forgot who may execute incumbent_admit,");

            PROVIDER.install(of("successor"));
            Leader.raise(url, 8);
            keepers.run("GRANT EXECUTE ON PROCEDURE " + name + ".incumbent_admit TO " + account("writer"));
            assertGuarded();
        }

        @Test
        void whoMayNotExecuteTheProceduresOfAnotherCannotTellWhetherTheyWork() {
            keepers.run("REVOKE EXECUTE ON " + name + ".* FROM " + account("successor"));

            assertThatThrownBy(() -> PROVIDER.install(of("successor")))
                    .hasMessageContaining("this user may not execute procedure incumbent_")
                    .hasMessageContaining("cannot tell whether that account is still there");
        }

        /** What was made from the same text stays, and with it its rights and its account. */
        @Test
        void aProcedureOfAnotherVersionIsReplacedAndKeepsItsRightsAndNoOtherIsTouched() throws Exception {
            List<String> installed = keepers.column(COMMENT + name + "'");
            keepers.run("ALTER PROCEDURE " + name + ".incumbent_admit COMMENT 'older'");
            assertThatThrownBy(() -> PROVIDER.install(of("successor")))
                    .hasMessageContaining("procedure incumbent_admit is of another version")
                    .hasMessageContaining("it needs SELECT on mysql.procs_priv and GRANT OPTION");
            assertThat(keepers.column(COMMENT + name + "'")).containsExactly("older");

            PROVIDER.install(url);

            assertThat(installed).hasSize(1).allMatch(mark -> mark.matches("incumbent [0-9a-f]+"));
            assertThat(keepers.column(COMMENT + name + "'")).isEqualTo(installed);
            assertThat(keepers.column("SELECT count(*) FROM information_schema.routines WHERE routine_schema = '" + name
                            + "' AND definer LIKE 'installer%'"))
                    .containsExactly("3");
            Leader.raise(url, 8);
            assertGuarded();
        }

        /** A procedure that a transaction has called is dropped only when that transaction is over: an installation that nobody waits for any more must not do so. */
        @Test
        @Tag("realtime")
        void anInstallationWaitsForAnAdmittedTransactionForSecondsAndDropsNothingLater() throws Exception {
            Leader.raise(url, 8);
            keepers.run("ALTER PROCEDURE " + name + ".incumbent_admit COMMENT 'older'");
            try (Connection admitted = DriverManager.getConnection(of("writer"))) {
                admitted.setAutoCommit(false);
                Installation.execute(admitted, ADMIT_8);
                Installation.execute(admitted, WRITE);
                long begun = System.nanoTime();

                assertThatThrownBy(() -> PROVIDER.install(url)).hasMessageContaining("Lock wait timeout exceeded");
                assertThatThrownBy(() -> PROVIDER.guard(url, "ledger", Leader.BILLING))
                        .hasMessageContaining("Lock wait timeout exceeded");

                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(25));
                admitted.rollback();
            }
            assertThat(keepers.column(COMMENT + name + "'")).containsExactly("older");
            PROVIDER.install(url);
            assertGuarded();
        }

        /** As an installation leaves it that ends half-way: the deputy is what was asked for last. */
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void aGuardWhoseDeputyIsStillThereIsMadeAgain(boolean isAlone) throws Exception {
            String trigger = name + ".incumbent_guards_ledger_insert";
            String create = " BEFORE INSERT ON " + name + ".ledger FOR EACH ROW CALL incumbent_guard('";
            keepers.run(
                    "CREATE DEFINER = " + account("installer") + " TRIGGER " + trigger + "_new" + create + "billing')",
                    "DROP TRIGGER " + trigger);
            if (!isAlone) {
                keepers.run("CREATE TRIGGER " + trigger + create + "other')");
            }

            PROVIDER.install(url);

            assertThat(keepers.column("SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = '"
                            + name + "' ORDER BY trigger_name"))
                    .containsExactly(
                            "incumbent_guards_ledger_delete",
                            "incumbent_guards_ledger_insert",
                            "incumbent_guards_ledger_update");
            Leader.raise(url, 8);
            assertGuarded();
        }
    }
}
