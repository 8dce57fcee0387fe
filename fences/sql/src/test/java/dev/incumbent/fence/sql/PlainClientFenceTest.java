package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import java.sql.Connection;
import org.h2.engine.Constants;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract for clients that have nothing of ours but the one statement of the documentation, at each isolation level of each database. */
@Tag("trial")
class PlainClientFenceTest {
    private static FenceRig postgres(int isolation) {
        return new ServerRig(PostgresDatabase.create(), isolation, "SELECT incumbent.admit('%s', %s)");
    }

    @Nested
    class OnPostgresReadUncommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return postgres(Connection.TRANSACTION_READ_UNCOMMITTED);
        }
    }

    @Nested
    class OnPostgresReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return postgres(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    class OnPostgresRepeatableRead extends FenceContract {
        @Override
        protected FenceRig rig() {
            return postgres(Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @Nested
    class OnPostgresSerializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return postgres(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    private static FenceRig mariaDb(int isolation) {
        return new ServerRig(MariaDbDatabase.create(), isolation, "CALL incumbent_admit('%s', %s)");
    }

    @Nested
    class OnMariaDbReadUncommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return mariaDb(Connection.TRANSACTION_READ_UNCOMMITTED);
        }
    }

    @Nested
    class OnMariaDbReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return mariaDb(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    class OnMariaDbRepeatableRead extends FenceContract {
        @Override
        protected FenceRig rig() {
            return mariaDb(Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @Nested
    class OnMariaDbSerializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return mariaDb(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    private static FenceRig h2(int isolation) {
        return new ServerRig(H2Database.create(), isolation, "CALL incumbent_admit('%s', %s)");
    }

    @Nested
    class OnH2ReadUncommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return h2(Connection.TRANSACTION_READ_UNCOMMITTED);
        }
    }

    @Nested
    class OnH2ReadCommitted extends FenceContract {
        @Override
        protected FenceRig rig() {
            return h2(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Nested
    class OnH2RepeatableRead extends FenceContract {
        @Override
        protected FenceRig rig() {
            return h2(Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    @Nested
    class OnH2Serializable extends FenceContract {
        @Override
        protected FenceRig rig() {
            return h2(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Nested
    class OnH2Snapshot extends FenceContract {
        @Override
        protected FenceRig rig() {
            return h2(Constants.TRANSACTION_SNAPSHOT);
        }
    }

    @Nested
    class OnSqliteWithALog extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new SqliteRig("WAL") {
                @Override
                public Writer begin() {
                    return begun(plain(this));
                }
            };
        }
    }

    @Nested
    class OnSqliteWithARollbackJournal extends FenceContract {
        @Override
        protected FenceRig rig() {
            return new SqliteRig("DELETE") {
                @Override
                public Writer begin() {
                    return begun(plain(this));
                }
            };
        }
    }

    private static Writer plain(SqliteRig rig) {
        return new PlainClientWriter(
                new SqliteDatabase(rig.ledger()),
                Connection.TRANSACTION_SERIALIZABLE,
                "INSERT INTO incumbent_admit(election, token) VALUES ('%s', %s)");
    }
}
