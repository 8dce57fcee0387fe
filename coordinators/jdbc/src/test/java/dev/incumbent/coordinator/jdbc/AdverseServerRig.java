package dev.incumbent.coordinator.jdbc;

import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.ServerProcess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A database server of its own, which is frozen and killed; or a place in one that is shared, for tests that harm wires alone. */
final class AdverseServerRig extends ServerRig implements AdverseRig {
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final Optional<ServerProcess> process;
    private final Runnable end;

    private AdverseServerRig(Place place, Optional<ServerProcess> process, Runnable end) {
        super(place);
        this.process = process;
        this.end = end;
    }

    static AdverseServerRig in(Place shared) {
        return new AdverseServerRig(new Place(shared.url(), shared.port(), LEASE), Optional.empty(), () -> {});
    }

    static AdverseServerRig postgres() {
        PostgresServer server = PostgresServer.start();
        return new AdverseServerRig(
                new Place(PostgresServer::jdbcUrl, server.port(), LEASE), Optional.of(server.process()), server::close);
    }

    static AdverseServerRig mariaDb() {
        MariaDbServer server = MariaDbServer.start();
        return new AdverseServerRig(
                new Place(MariaDbServer::jdbcUrl, server.port(), LEASE), Optional.of(server.process()), server::close);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return process.isPresent() ? EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED) : Set.of();
    }

    @Override
    public void befall(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            process.orElseThrow().freeze();
        } else {
            process.orElseThrow().kill();
        }
    }

    @Override
    public void recover(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            process.orElseThrow().thaw();
        } else {
            process.orElseThrow().startAgain();
        }
    }

    @Override
    public void reset(Coordinator client) {
        wire(client).reset();
    }

    @Override
    public void loseNextAnswer(Coordinator client) {
        wire(client).loseNextAnswer();
    }

    @Override
    public void slow(Coordinator client, Duration by) {
        wire(client).slow(by);
    }

    @Override
    public void close() {
        super.close();
        end.run();
    }
}
