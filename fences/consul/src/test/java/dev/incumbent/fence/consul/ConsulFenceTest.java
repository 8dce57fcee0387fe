package dev.incumbent.fence.consul;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, over a real Consul; what restarts it or puts a snapshot in its place has a server of its own. */
final class ConsulFenceTest extends FenceContract {
    private String test = "";

    /** Before the contract opens its rig. */
    @RegisterExtension
    final BeforeEachCallback seeWhatIsTested =
            context -> test = context.getRequiredTestMethod().getName();

    @Override
    protected FenceRig rig() {
        boolean isRough = test.contains("estart") || test.contains("PutBack") || test.contains("AnotherInstall");
        return isRough ? ConsulRig.onAServerOfItsOwn() : ConsulRig.onTheSharedServer();
    }
}
