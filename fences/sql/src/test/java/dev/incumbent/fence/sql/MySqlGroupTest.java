package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.Sinks;
import dev.incumbent.servers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A member of a group with several primaries: an admission on one holds no lock on another. */
class MySqlGroupTest {
    @Test
    void neitherALibraryNorAPlainClientRaisesOrIsAdmittedThere() throws SQLException {
        assumeTrue(MySqlServer.knowsGroups(), "MySQL with its groups could not be had (scripts/install-servers)");
        try (MySqlServer member = MySqlServer.start(MySqlServer.ofSeveralPrimaries())) {
            assertThatThrownBy(() -> Sinks.install(member.jdbcUrl()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("it replicates in a group with several primaries"
                            + " (group_replication_single_primary_mode is OFF)");

            try (Connection client = DriverManager.getConnection(member.jdbcUrl())) {
                new MariaDbInstaller(client).install();

                assertThatThrownBy(
                                () -> Installation.execute(client, "CALL incumbent_raise('billing', 7, 'operator:me')"))
                        .hasMessageContaining("a group with several primaries");

                Installation.execute(client, MariaDbGaleraTest.MARK_OF_BEFORE);
                client.setAutoCommit(false);
                assertThatThrownBy(() -> Installation.execute(client, "CALL incumbent_admit('ledger', 7)"))
                        .hasMessageContaining("a group with several primaries: a raise on another member would not");
                client.rollback();
            }
        }
    }
}
