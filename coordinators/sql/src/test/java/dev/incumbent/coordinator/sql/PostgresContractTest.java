package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL holds the contract, over wires that are cut in every way. */
@Execution(ExecutionMode.CONCURRENT)
final class PostgresContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ServerRig(Servers.postgres(), pace);
    }
}
