package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.Sinks;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A MariaDB tells that it is a node of Galera's as soon as its option says so, though without the library of Galera it is none. */
class MariaDbGaleraTest {
    private static final MariaDbServer NODE = MariaDbServer.start(List.of("wsrep-on=ON"), Map.of());
    private static final String REFUSED = "mariadb://127.0.0.1:" + NODE.port() + "/" + MariaDbServer.DATABASE
            + ": it is a node of a Galera cluster (wsrep_on is ON), where a raise on one node does not wait for writes"
            + " admitted on another; name a server without Galera";

    /** As a raise would have written it. */
    static final String MARK_OF_BEFORE = "INSERT INTO incumbent_fence(election, token, owner, raised_at)"
            + " VALUES ('ledger', 7, 'operator:me', utc_timestamp(6))";

    private static final String OTHERS = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = '"
            + MariaDbServer.USER + "' AND id <> CONNECTION_ID()";
    private static final Duration POLL = Duration.ofMillis(100);

    @AfterAll
    static void stop() {
        NODE.close();
    }

    @Test
    void aFenceIsNotInstalledInANodeOfAGaleraCluster() {
        assertThatThrownBy(() -> Sinks.install(NODE.jdbcUrl()))
                .isInstanceOf(SinkException.class)
                .hasMessage(REFUSED);
    }

    /** It may have joined the cluster since. */
    @Test
    void nothingIsRaisedInANodeOfAGaleraCluster() {
        Mark mark = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));

        try (Sink sink = Sinks.open(NODE.jdbcUrl())) {
            assertThatThrownBy(() -> sink.raise(new ElectionName("billing"), mark)
                            .toCompletableFuture()
                            .get(20, SECONDS))
                    .hasCauseInstanceOf(SinkException.class)
                    .rootCause()
                    .hasMessage(REFUSED);
        }
    }

    /** A plain client's, too. */
    @Test
    void theProcedureRefusesToRaiseThere() throws SQLException {
        try (Connection client = DriverManager.getConnection(NODE.jdbcUrl())) {
            new MariaDbInstaller(client).install();

            assertThatThrownBy(() -> Installation.execute(client, "CALL incumbent_raise('billing', 7, 'operator:me')"))
                    .hasMessageContaining("a node of a Galera cluster (wsrep_on is ON)");
        }
    }

    /** Marks may have been raised before it joined the cluster. */
    @Test
    void theProcedureAdmitsNoWriteThere() throws SQLException {
        try (Connection client = DriverManager.getConnection(NODE.jdbcUrl())) {
            new MariaDbInstaller(client).install();
            Installation.execute(client, MARK_OF_BEFORE);
            client.setAutoCommit(false);

            assertThatThrownBy(() -> Installation.execute(client, "CALL incumbent_admit('ledger', 7)"))
                    .hasMessageContaining("a node of a Galera cluster (wsrep_on is ON): a raise on another node would");
            assertThatThrownBy(() -> Installation.execute(client, "CALL incumbent_admit('ledger', 7)"))
                    .as("asked again")
                    .hasMessageContaining("a node of a Galera cluster (wsrep_on is ON)");
            client.rollback();
        }
    }

    /** Whoever asks again and again must not use up the node's connections. */
    @Test
    @Timeout(120)
    void whoIsRefusedLeavesNoConnection() {
        assertThatThrownBy(() -> Sinks.install(NODE.jdbcUrl())).hasMessage(REFUSED);

        while (!NODE.client(OTHERS).strip().equals("0")) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
