package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL holds the contract over an application's pool of connections, too. */
@Execution(ExecutionMode.CONCURRENT)
final class LentPostgresContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new LentRig(Servers.postgres());
    }
}
