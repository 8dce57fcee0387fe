package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MariaDB holds the contract with {@code innodb_snapshot_isolation}, too. */
@Tag("trial")
@Execution(ExecutionMode.CONCURRENT)
final class MariaDbSnapshotContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ServerRig(Servers.mariaDbWithSnapshotIsolation(), pace);
    }
}
