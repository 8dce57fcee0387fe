package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MySQL holds the contract, over wires that are cut in every way. In the gate MariaDB does: one dialect, one adapter. */
@Tag("trial")
@Execution(ExecutionMode.CONCURRENT)
final class MySqlContractTest extends CoordinatorContract {
    /** All of it is skipped, and counted as that, where there is none. */
    @BeforeAll
    static void isThere() {
        Servers.assumeMySql();
    }

    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ServerRig(Servers.mySql(), pace);
    }
}
