package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;

/** The contract, over a file with a write-ahead log. */
class SqliteFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new SqliteRig("WAL");
    }
}
