package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.enlisted;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server may refuse a write because others wrote its rows while it waited for them. */
@Tag("field")
@Tag("realtime")
final class OvertakenWriteTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CHANGE =
            "insert into incumbent_candidate(election, candidate, lease, body) select ?, ?, l.id, '{}' from incumbent_lease l where l.id=?";

    /** It has looked, and not written yet. */
    private static final String SLOW_CHANGE = CHANGE + " and sleep(2)=0";

    /** MariaDB says 1020 then, if {@code innodb_snapshot_isolation} is ON; what is sent once more finds the row. */
    @Test
    void aWriteThatWasOvertakenIsSentOnceMore() throws Exception {
        try (ServerRig rig = new ServerRig(Servers.mariaDbWithSnapshotIsolation(), PATIENCE);
                Coordinator client = rig.connect();
                Connection other = rig.connection();
                Connection own = rig.connection()) {
            LeaseId lease = granted(client, rig.lease()).id();
            Object[] row = {ELECTION, enlisted(lease).candidate().id(), lease};
            own.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // as our sessions are
            ServerSession session = new ServerSession(own, own::close, new Sql(own), new MariaDbDialect(), false, 0);

            CompletableFuture<SQLException> writing = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(SQLException.class, () -> session.write(SLOW_CHANGE, row)));
            Waiting.until("it has looked", () -> isAsleep(rig));
            new Sql(other).update(CHANGE, row);

            SQLException told = writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(session.dialect().isDuplicate(told)).as(told.toString()).isTrue();
        }
    }

    private static boolean isAsleep(ServerRig rig) {
        try (Connection connection = rig.connection();
                Statement statement = connection.createStatement();
                ResultSet waits = statement.executeQuery(
                        "select 1 from information_schema.processlist where state='User sleep'")) {
            return waits.next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
