package dev.incumbent.fence.file;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;

/** The contract, over a file of a folder of its own. */
final class FileFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new FileRig();
    }
}
