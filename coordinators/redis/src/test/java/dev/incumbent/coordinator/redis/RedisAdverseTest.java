package dev.incumbent.coordinator.redis;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.servers.RedisServer;
import java.util.List;

/** Candidacies over one server in trouble. */
final class RedisAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return new RedisAdverseRig(List.of(RedisServer.start()));
    }
}
