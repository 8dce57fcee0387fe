package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MariaDB holds the contract, over wires that are cut in every way. */
@Execution(ExecutionMode.CONCURRENT)
final class MariaDbContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ServerRig(Servers.mariaDb(), pace);
    }
}
