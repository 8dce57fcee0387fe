package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;

/** The contract on MySQL, at each isolation level. */
class MySqlFenceTest {
    @Nested
    class ReadUncommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MySqlDatabase.create(), Connection.TRANSACTION_READ_UNCOMMITTED);
        }
    }

    @Nested
    class ReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MySqlDatabase.create(), Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    class RepeatableRead extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MySqlDatabase.create(), Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @Nested
    class Serializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MySqlDatabase.create(), Connection.TRANSACTION_SERIALIZABLE);
        }
    }
}
