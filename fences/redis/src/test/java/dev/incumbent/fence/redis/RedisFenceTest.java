package dev.incumbent.fence.redis;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.servers.RedisServer;

/** A Redis server keeps the contract of fences. */
final class RedisFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new RedisFenceRig(Shared.SERVER);
    }

    /** One for all tests; it dies with this process. */
    static final class Shared {
        static final RedisServer SERVER = RedisServer.start();

        private Shared() {}
    }
}
