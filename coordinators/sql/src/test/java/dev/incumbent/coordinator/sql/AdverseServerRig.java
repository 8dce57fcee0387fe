package dev.incumbent.coordinator.sql;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A database server of its own, which is frozen, killed and filled; or a place in one that is shared, for tests that harm wires alone. */
final class AdverseServerRig extends ServerRig {
    private final Optional<OwnServer> own;

    private AdverseServerRig(Place place, Optional<OwnServer> own) {
        super(place);
        this.own = own;
    }

    static AdverseServerRig in(Place shared) {
        return new AdverseServerRig(new Place(shared.url(), shared.port(), OwnServer.LEASE), Optional.empty());
    }

    static AdverseServerRig over(OwnServer server) {
        return new AdverseServerRig(server.place(), Optional.of(server));
    }

    @Override
    public Set<ServerFault> serverFaults() {
        if (own.isEmpty()) {
            return Set.of();
        }
        return own.get().disk().isPresent()
                ? EnumSet.allOf(ServerFault.class)
                : EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        OwnServer server = own.orElseThrow();
        switch (fault) {
            case FROZEN -> server.process().freeze();
            case KILLED -> server.process().kill();
            case FULL -> {
                server.fill();
                server.worst().run();
            }
        }
    }

    @Override
    public void recover(ServerFault fault) {
        OwnServer server = own.orElseThrow();
        if (fault == ServerFault.FROZEN) {
            server.process().thaw();
        } else {
            server.recover();
        }
    }

    @Override
    public void close() {
        super.close();
        own.ifPresent(OwnServer::close);
    }
}
