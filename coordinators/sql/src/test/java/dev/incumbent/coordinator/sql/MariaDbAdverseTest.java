package dev.incumbent.coordinator.sql;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Candidacies on a MariaDB in trouble. */
@Execution(ExecutionMode.CONCURRENT)
final class MariaDbAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return AdverseServerRig.over(OwnServer.mariaDb());
    }

    @Override
    protected AdverseRig openSharedRig() {
        return AdverseServerRig.in(Servers.mariaDb());
    }
}
