package dev.incumbent.coordinator.jdbc;

import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.ServerProcess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A database server of its own, which is frozen and killed. */
final class AdverseServerRig extends ServerRig implements AdverseRig {
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final ServerProcess process;
    private final Runnable end;

    private AdverseServerRig(Place place, ServerProcess process, Runnable end) {
        super(place);
        this.process = process;
        this.end = end;
    }

    static AdverseServerRig postgres() {
        PostgresServer server = PostgresServer.start();
        return new AdverseServerRig(
                new Place(PostgresServer::jdbcUrl, server.port(), LEASE), server.process(), server::close);
    }

    static AdverseServerRig mariaDb() {
        MariaDbServer server = MariaDbServer.start();
        return new AdverseServerRig(
                new Place(MariaDbServer::jdbcUrl, server.port(), LEASE), server.process(), server::close);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            process.freeze();
        } else {
            process.kill();
        }
    }

    @Override
    public void recover(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            process.thaw();
        } else {
            process.startAgain();
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
