package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** H2 holds the contract between clients of one process, which no wire can be cut off from. */
@Execution(ExecutionMode.CONCURRENT)
final class H2ContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ServerRig(Servers.h2(), pace);
    }
}
