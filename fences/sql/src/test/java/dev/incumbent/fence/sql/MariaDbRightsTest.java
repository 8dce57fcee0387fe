package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which rights on MariaDB are enough, for whom, as the page of the sink says. */
@Tag("trial")
class MariaDbRightsTest {
    /** A busy machine looks for a blocker late. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private static final SqlSinkProvider PROVIDER = new SqlSinkProvider();

    private final MariaDbDatabase database = MariaDbDatabase.create();
    private final String user = "rt_" + database.name();

    @BeforeEach
    void user() {
        database.run("CREATE OR REPLACE USER " + user + "@'%' IDENTIFIED BY 'r'");
    }

    @AfterEach
    void end() {
        database.run("DROP USER " + user + "@'%'");
        database.close();
    }

    @Test
    void theRightsOfAnInstallerAreEnoughToInstallAndToInstallAgain() {
        String empty = database.name() + "_empty";
        MariaDbDatabase.shared().client("CREATE OR REPLACE DATABASE " + empty);
        database.run("GRANT CREATE, ALTER, CREATE ROUTINE, ALTER ROUTINE, INSERT, SELECT, UPDATE ON " + empty + ".* TO "
                + user + "@'%'");
        String url = url().replace("/" + database.name() + "?", "/" + empty + "?");

        PROVIDER.install(url);
        database.run("ALTER TABLE " + empty + ".incumbent_fence DROP COLUMN idle_s");
        PROVIDER.install(url);

        try (Sink sink = PROVIDER.open(url, BOUND)) {
            assertThat(sink.raise(Leader.BILLING, mark(7)).toCompletableFuture().join())
                    .isEqualTo(new Raise.Raised(mark(7)));
        }
        MariaDbDatabase.shared().client("DROP DATABASE " + empty);
    }

    @Test
    void theRightsOfWhoGuardsAreEnough() {
        database.run("CREATE TABLE guarded(line varchar(20))");
        grant("TRIGGER ON guarded", "EXECUTE ON PROCEDURE incumbent_guard", "INSERT ON guarded");

        PROVIDER.guard(url(), "guarded", Leader.BILLING);

        assertThatThrownBy(() -> run("INSERT INTO guarded VALUES ('late')")).hasStackTraceContaining("not admitted");
        database.run("DROP TABLE guarded");
    }

    @Test
    void theRightsOfALeaderAreEnoughAndWithOneMoreItNamesABlocker() throws Exception {
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
            database.run("GRANT PROCESS ON *.* TO " + user + "@'%'");
            assertThatThrownBy(() -> raise(8))
                    .hasMessageContaining("it waits for connection ")
                    .hasMessageContaining("(user " + MariaDbServer.USER + ", client ");
            blocker.rollback();
        }
        assertThat(raise(8)).isEqualTo(new Raise.Raised(mark(8)));
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

    private void grant(String... rights) {
        for (String right : rights) {
            database.run("GRANT " + right + " TO " + user + "@'%'");
        }
    }

    private String url() {
        return database.url()
                .replace("user=" + MariaDbServer.USER, "user=" + user)
                .replace("password=" + MariaDbServer.PASSWORD, "password=r");
    }

    private void run(String sql) {
        try (Connection connection = DriverManager.getConnection(url())) {
            Installation.execute(connection, sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }
}
