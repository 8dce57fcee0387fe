package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL holds the contract over an application's pool of connections, too. */
@Tag("trial")
@Execution(ExecutionMode.CONCURRENT)
final class LentPostgresContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new LentRig(Servers.postgres(), pace);
    }
}
