package dev.incumbent.coordinator.sql;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Candidacies on a MySQL in trouble. */
@Tag("release")
@Execution(ExecutionMode.CONCURRENT)
final class MySqlAdverseTest extends AdverseContract {
    /** All of it is skipped, and counted as that, where there is none. */
    @BeforeAll
    static void isThere() {
        Servers.assumeMySql();
    }

    @Override
    protected AdverseRig openRig() {
        return AdverseServerRig.over(OwnServer.mySql());
    }

    @Override
    protected AdverseRig openSharedRig() {
        return AdverseServerRig.in(Servers.mySql());
    }
}
