package dev.incumbent.fence.http;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;

/** The contract, in front of a service on the JDK's server. */
final class JdkFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new HttpRig(JdkService::new);
    }
}
