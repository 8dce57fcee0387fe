package dev.incumbent.coordinator.dynamodb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.SmallDisk;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A server with wires to it that misbehave; one of its own may be stopped, killed and, where disks can be mounted, filled. */
final class DynamoDbTroubles implements WiredRig {
    private static final int MEGABYTES = 16;

    private final DynamoDbServer server;
    private final Optional<SmallDisk> disk;
    private final DynamoDbRig rig;

    private DynamoDbTroubles(DynamoDbServer server, Optional<SmallDisk> disk) {
        this.server = server;
        this.disk = disk;
        this.rig = new DynamoDbRig(server, Duration.ofSeconds(1));
    }

    static DynamoDbTroubles onTheSharedServer() {
        return new DynamoDbTroubles(SharedServer.get(), Optional.empty());
    }

    static DynamoDbTroubles onAServerOfItsOwn() {
        DynamoDbServer.provideCredentials();
        if (!SmallDisk.isPossible()) {
            return new DynamoDbTroubles(DynamoDbServer.start(), Optional.empty());
        }
        SmallDisk disk = SmallDisk.ofMegabytes(MEGABYTES);
        return new DynamoDbTroubles(DynamoDbServer.startIn(disk.folder("dynamodb")), Optional.of(disk));
    }

    @Override
    public Wires wires() {
        return rig.wires();
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return disk.isPresent() ? EnumSet.allOf(ServerFault.class) : EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.freeze();
            case KILLED -> server.kill();
            case FULL -> fill();
        }
    }

    private void fill() {
        disk.orElseThrow().fill();
        assertThatThrownBy(() -> rig.set(Item.of("filler", "filler"), "text", Item.text("x".repeat(60_000))))
                .hasMessageContaining("Status Code: 500");
    }

    @Override
    public void recover(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.thaw();
            case KILLED -> server.startAgain();
            case FULL -> disk.orElseThrow().makeRoom();
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
        disk.ifPresent(SmallDisk::close);
    }
}
