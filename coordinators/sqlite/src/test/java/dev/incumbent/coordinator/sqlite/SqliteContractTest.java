package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.io.IOException;

/** SQLite holds the contract between two clients of one process. */
final class SqliteContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) throws IOException {
        return new SqliteRig(pace.requestTimeout(SqliteRig.REQUEST_TIMEOUT));
    }
}
