package dev.incumbent.fence.http;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;

/** The contract, in front of a service on Tomcat. */
final class TomcatFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new HttpRig(TomcatService::new);
    }
}
