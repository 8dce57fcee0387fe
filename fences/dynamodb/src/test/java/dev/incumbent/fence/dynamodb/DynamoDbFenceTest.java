package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.servers.DynamoDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The fences' contract, on Dynoxide. */
@Tag("patient")
class DynamoDbFenceTest extends FenceContract {
    private static DynamoDbServer server;

    @BeforeAll
    static void start() {
        DynamoDbServer.provideCredentials();
        server = DynamoDbServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected FenceRig rig() {
        return new DynamoDbFenceRig(server);
    }
}
