package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;

/** The contract, over a file in SQLite's first journal mode. */
class SqliteRollbackJournalFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new SqliteRig("DELETE");
    }
}
