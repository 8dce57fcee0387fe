package dev.incumbent.coordinator.redis;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.servers.RedisServer;

/** Candidacies over three masters in trouble. */
final class RedlockAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return new RedisAdverseRig(RedisServer.startMasters(3));
    }
}
