package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract on MariaDB, at each isolation level, and with {@code innodb_snapshot_isolation} where that makes a difference. */
class MariaDbFenceTest {
    @Nested
    @Tag("release")
    class ReadUncommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MariaDbDatabase.create(), Connection.TRANSACTION_READ_UNCOMMITTED);
        }
    }

    @Nested
    @Tag("trial")
    class ReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MariaDbDatabase.create(), Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    class RepeatableRead extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MariaDbDatabase.create(), Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @Nested
    @Tag("trial")
    class RepeatableReadWithSnapshotIsolation extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(
                    MariaDbDatabase.createWithSnapshotIsolation("ON"), Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @Nested
    @Tag("trial")
    class SerializableWithSnapshotIsolation extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(
                    MariaDbDatabase.createWithSnapshotIsolation("ON"), Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Nested
    @Tag("release")
    class Serializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new ServerRig(MariaDbDatabase.create(), Connection.TRANSACTION_SERIALIZABLE);
        }
    }
}
