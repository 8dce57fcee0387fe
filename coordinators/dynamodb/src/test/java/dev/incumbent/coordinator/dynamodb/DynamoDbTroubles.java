package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.servers.DynamoDbServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A server with wires to it that misbehave; one of its own may be stopped and killed. */
final class DynamoDbTroubles implements WiredRig {
    private final DynamoDbServer server;
    private final DynamoDbRig rig;

    private DynamoDbTroubles(DynamoDbServer server) {
        this.server = server;
        this.rig = new DynamoDbRig(server, Duration.ofSeconds(1));
    }

    static DynamoDbTroubles onTheSharedServer() {
        return new DynamoDbTroubles(SharedServer.get());
    }

    static DynamoDbTroubles onAServerOfItsOwn() {
        DynamoDbServer.provideCredentials();
        return new DynamoDbTroubles(DynamoDbServer.start());
    }

    @Override
    public Wires wires() {
        return rig.wires();
    }

    /** It cannot be made full: a table of DynamoDB has no end, and that of DynamoDB Local is its disk's. */
    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            server.freeze();
        } else {
            server.kill();
        }
    }

    @Override
    public void recover(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            server.thaw();
        } else {
            server.startAgain();
        }
    }

    @Override
    public Coordinator connect() {
        return rig.connect();
    }

    /** At most a quarter of the lease. */
    @Override
    public Duration requestTimeout() {
        return rig.requestTimeout();
    }

    @Override
    public Duration lease() {
        return rig.requestTimeout().multipliedBy(4);
    }

    @Override
    public Duration slack() {
        return rig.slack();
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of();
    }

    @Override
    public void close() {
        rig.close();
        if (server != SharedServer.get()) {
            server.close();
        }
    }
}
