package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract on H2, with snapshots of statements and of transactions. */
class H2FenceTest {
    @Nested
    class ReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(H2Database.create(), Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    @Tag("trial")
    class Serializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(H2Database.create(), Connection.TRANSACTION_SERIALIZABLE);
        }
    }
}
