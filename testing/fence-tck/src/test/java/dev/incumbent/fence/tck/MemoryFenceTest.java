package dev.incumbent.fence.tck;

import java.util.concurrent.atomic.AtomicInteger;

class MemoryFenceTest extends FenceContract {
    private final AtomicInteger born = new AtomicInteger();

    @Override
    protected FenceRig rig() {
        return new MemoryRig("memory-" + born.incrementAndGet());
    }
}
