package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.servers.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real etcd. */
class EtcdContractTest extends CoordinatorContract {
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
    protected CoordinatorRig openRig(Pace pace) {
        return EtcdRig.over(server, pace);
    }
}
