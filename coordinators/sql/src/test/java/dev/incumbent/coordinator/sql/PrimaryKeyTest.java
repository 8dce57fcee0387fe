package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Revision;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several clouds want a primary key of every table, and so does whoever replicates by rows. */
@Tag("field")
final class PrimaryKeyTest {
    @Test
    void aMariaDbThatForcesPrimaryKeysServes() throws Exception {
        assertServes(Servers.mariaDb(), "innodb_force_primary_key");
    }

    @Test
    void aMySqlThatRequiresPrimaryKeysServes() throws Exception {
        assertServes(Servers.mySql(), "sql_require_primary_key");
    }

    private static void assertServes(ServerRig.Place place, String setting) throws Exception {
        try (ServerRig rig = new ServerRig(place)) {
            rig.execute("set global " + setting + "=on");
            try (Coordinator client = rig.connect()) {
                Revision first = swapped(client, Revision.ABSENT, vacant(1));

                assertThat(found(client).revision()).isEqualTo(first);
            } finally {
                rig.execute("set global " + setting + "=off");
            }
        }
    }
}
