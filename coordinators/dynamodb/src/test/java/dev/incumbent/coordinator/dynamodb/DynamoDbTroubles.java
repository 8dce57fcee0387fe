package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A server with wires to it that misbehave; one of its own may be stopped and killed. */
final class DynamoDbTroubles implements AdverseRig {
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
    public void reset(Coordinator client) {
        rig.wire(client).reset();
    }

    @Override
    public void loseNextAnswer(Coordinator client) {
        rig.wire(client).loseNextAnswer();
    }

    @Override
    public void slow(Coordinator client, Duration by) {
        rig.wire(client).slow(by);
    }

    @Override
    public Coordinator connect() {
        return rig.connect();
    }

    @Override
    public Timeline timeline() {
        return rig.timeline();
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
    public void passTime(Duration length) {
        rig.passTime(length);
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of();
    }

    @Override
    public Set<Cut> cuts() {
        return rig.cuts();
    }

    @Override
    public void cut(Coordinator client, Cut how) {
        rig.cut(client, how);
    }

    @Override
    public void heal(Coordinator client) {
        rig.heal(client);
    }

    @Override
    public void close() {
        rig.close();
        if (server != SharedServer.get()) {
            server.close();
        }
    }
}
