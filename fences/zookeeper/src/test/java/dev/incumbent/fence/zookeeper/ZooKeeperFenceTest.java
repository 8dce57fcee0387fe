package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, over a real ZooKeeper; what restarts it or puts a copy in its place has a server of its own. */
final class ZooKeeperFenceTest extends FenceContract {
    private String test = "";

    /** Before the contract opens its rig. */
    @RegisterExtension
    final BeforeEachCallback seeWhatIsTested =
            context -> test = context.getRequiredTestMethod().getName();

    @Override
    protected FenceRig rig() {
        boolean isRough = test.contains("estart") || test.contains("PutBack") || test.contains("AnotherInstall");
        return isRough ? ZooKeeperRig.onAServerOfItsOwn() : ZooKeeperRig.onTheSharedServer();
    }
}
