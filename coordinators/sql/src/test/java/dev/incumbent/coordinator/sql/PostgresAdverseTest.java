package dev.incumbent.coordinator.sql;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Candidacies on a PostgreSQL in trouble. */
@Execution(ExecutionMode.CONCURRENT)
final class PostgresAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return AdverseServerRig.over(OwnServer.postgres());
    }

    @Override
    protected AdverseRig openSharedRig() {
        return AdverseServerRig.in(Servers.postgres());
    }
}
