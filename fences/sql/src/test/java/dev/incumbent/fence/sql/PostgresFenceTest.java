package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract on PostgreSQL, with snapshots of statements and of transactions; {@link PostgresClientTest} tries the other levels. */
class PostgresFenceTest {
    @Nested
    class ReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(PostgresDatabase.create(), Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    @Tag("trial")
    class Serializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(PostgresDatabase.create(), Connection.TRANSACTION_SERIALIZABLE);
        }
    }
}
