package dev.incumbent.fence.etcd;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.servers.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The fences' contract in a real etcd. */
@Tag("patient")
class EtcdFenceTest extends FenceContract {
    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected FenceRig rig() {
        return new EtcdFenceRig(server);
    }
}
