package dev.incumbent.coordinator.redis;

import dev.incumbent.redis.ServerAddress;
import dev.incumbent.wire.HostAddresses;
import java.util.function.Consumer;

/** Where one server is: always at the same address, or where sentinels say. Thread-safe. */
interface Place extends AutoCloseable {
    /** The address to connect to now. Blocks, for a request timeout at most. What fails here was surely not sent. */
    ServerAddress find();

    /** Those of the host that was found. */
    HostAddresses addresses(ServerAddress found);

    /** What the server there has to be. */
    Role role();

    /** Lets somebody hear of the address whenever it may be another one. */
    void whenMoved(Consumer<ServerAddress> hears);

    @Override
    void close();

    /** Always there. */
    static Place fixed(ServerAddress at, Role role) {
        return new Fixed(at, role, new HostAddresses(at.host()));
    }

    /** An address that stays the same. */
    record Fixed(ServerAddress at, Role role, HostAddresses addresses) implements Place {
        @Override
        public ServerAddress find() {
            return at;
        }

        @Override
        public HostAddresses addresses(ServerAddress found) {
            return addresses;
        }

        @Override
        public void whenMoved(Consumer<ServerAddress> hears) {
            // It never moves.
        }

        @Override
        public void close() {
            // It holds nothing.
        }

        @Override
        public String toString() {
            return at.toString();
        }
    }
}
