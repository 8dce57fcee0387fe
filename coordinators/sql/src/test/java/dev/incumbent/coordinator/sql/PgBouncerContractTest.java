package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL holds the contract also behind a pooler in transaction mode, which hears no notification. */
@Tag("trial")
@Execution(ExecutionMode.CONCURRENT)
final class PgBouncerContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ServerRig(Servers.pooledPostgres(), pace);
    }
}
