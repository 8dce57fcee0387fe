package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which rights on MySQL are enough, for whom, as the page of the sink says: on a server with a binary log and with its {@code performance_schema}, as by default. */
@Tag("trial")
class MySqlRightsTest {
    /** A busy machine looks for a blocker late. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private static final SqlSinkProvider PROVIDER = new SqlSinkProvider();
    private static final String USER = "worker";

    private final MySqlServer server = started();
    private final MySqlDatabase database = MySqlDatabase.create(server);

    private static MySqlServer started() {
        MySqlDatabase.assumeInstalled();
        return MySqlServer.start(List.of("log-bin=binlog", "performance-schema=ON"));
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void theRightsOfAnInstallerAreEnoughToInstallAndToInstallAgain() {
        user();
        server.client("CREATE DATABASE bare");
        grant("CREATE, ALTER, CREATE ROUTINE, ALTER ROUTINE, INSERT, SELECT, UPDATE ON bare.*");
        String url = url().replace("/" + database.name() + "?", "/bare?");

        PROVIDER.install(url);
        PROVIDER.install(url);

        try (Sink sink = PROVIDER.open(url, BOUND)) {
            assertThat(sink.raise(Leader.BILLING, mark(7)).toCompletableFuture().join())
                    .isEqualTo(new Raise.Raised(mark(7)));
        }
    }

    @Test
    void theRightsOfWhoGuardsAreEnoughOnceTheServerTrustsTheCreatorsOfTriggers() {
        user();
        grant("TRIGGER ON ledger", "EXECUTE ON PROCEDURE incumbent_guard", "INSERT ON ledger");
        assertThatThrownBy(() -> PROVIDER.guard(url(), "ledger", Leader.BILLING))
                .hasMessageContaining("SUPER privilege and binary logging is enabled")
                .hasMessageContaining("log_bin_trust_function_creators");
        database.run("SET GLOBAL log_bin_trust_function_creators = ON");

        PROVIDER.guard(url(), "ledger", Leader.BILLING);

        assertThatThrownBy(() -> run("INSERT INTO ledger(line) VALUES ('late')"))
                .hasStackTraceContaining("not admitted");
    }

    @Test
    void theRightsOfALeaderAreEnoughAndWithTwoMoreItNamesABlocker() throws Exception {
        user();
        grant(
                "EXECUTE ON PROCEDURE incumbent_raise",
                "SELECT ON incumbent_fence",
                "SELECT ON incumbent_sink",
                "EXECUTE ON PROCEDURE incumbent_admit");
        assertThat(raise(7)).isEqualTo(new Raise.Raised(mark(7)));
        try (Connection blocker = database.connect()) {
            blocker.setAutoCommit(false);
            Installation.execute(blocker, "CALL incumbent_admit('billing', 7)");

            assertThatThrownBy(() -> raise(8)).hasMessageEndingWith("gave up after 8000 ms");
            blocker.rollback();
            Installation.execute(blocker, "CALL incumbent_admit('billing', 7)");
            grant("PROCESS ON *.*", "SELECT ON performance_schema.*");
            assertThatThrownBy(() -> raise(8))
                    .hasMessageContaining("it waits for connection ")
                    .hasMessageContaining("(user " + MySqlServer.USER + ", client ");
            blocker.rollback();
        }
        assertThat(raise(8)).isEqualTo(new Raise.Raised(mark(8)));
    }

    @Test
    void aPreparedTransactionIsNamedToWhoMayAskAndOthersAreToldWhoMay() throws Exception {
        user();
        grant(
                "EXECUTE ON PROCEDURE incumbent_raise",
                "SELECT ON incumbent_fence",
                "SELECT ON incumbent_sink",
                "PROCESS ON *.*",
                "SELECT ON performance_schema.*");
        assertThat(raise(7)).isEqualTo(new Raise.Raised(mark(7)));
        prepare("'order 4711','branch',5", "CALL incumbent_admit('billing', 7)");

        assertThatThrownBy(() -> raise(8))
                .hasMessageEndingWith(
                        "gave up after 8000 ms; it waits for a prepared transaction, until it is committed or rolled"
                                + " back; this user may not see which: an administrator asks XA RECOVER, and ends it by"
                                + " XA COMMIT or XA ROLLBACK");
        grant("XA_RECOVER_ADMIN ON *.*");
        assertThatThrownBy(() -> raise(8))
                .hasMessageEndingWith("gave up after 8000 ms; it waits for the prepared transaction"
                        + " 'order 4711','branch',5, until it is committed or rolled back");
        prepare("X'00FF'", "INSERT INTO ledger(line) VALUES ('of nobody')");
        assertThatThrownBy(() -> raise(8))
                .hasMessageContaining("; it waits for one of the prepared transactions ")
                .hasMessageContaining("'order 4711','branch',5")
                .hasMessageContaining("X'00FF'");

        database.run("XA ROLLBACK 'order 4711','branch',5");
        assertThat(raise(8)).isEqualTo(new Raise.Raised(mark(8)));
        database.run("XA ROLLBACK X'00FF'");
    }

    /** Its client is gone then. */
    private void prepare(String name, String work) throws SQLException {
        try (Connection gone = database.connect()) {
            Installation.execute(gone, "XA START " + name);
            Installation.execute(gone, work);
            Installation.execute(gone, "INSERT INTO ledger(line) VALUES ('prepared')");
            Installation.execute(gone, "XA END " + name);
            Installation.execute(gone, "XA PREPARE " + name);
        }
    }

    private Raise raise(long to) {
        try (Sink sink = PROVIDER.open(url(), BOUND)) {
            sink.id().toCompletableFuture().join();
            return sink.raise(Leader.BILLING, mark(to)).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw (RuntimeException) failure.getCause();
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
    }

    private void user() {
        database.run("CREATE USER " + USER + "@'%' IDENTIFIED BY 'r'");
    }

    private void grant(String... rights) {
        for (String right : rights) {
            database.run("GRANT " + right + " TO " + USER + "@'%'");
        }
    }

    private String url() {
        return database.url()
                .replace("user=" + MySqlServer.USER, "user=" + USER)
                .replace("password=" + MySqlServer.PASSWORD, "password=r");
    }

    private void run(String sql) {
        try (Connection connection = DriverManager.getConnection(url())) {
            Installation.execute(connection, sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }
}
