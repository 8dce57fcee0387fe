package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL holds the contract also behind a pooler in transaction mode, which hears no notification. */
@Execution(ExecutionMode.CONCURRENT)
final class PgBouncerContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new ServerRig(Servers.pooledPostgres());
    }
}
