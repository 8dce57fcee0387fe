package dev.incumbent.sql;

import dev.incumbent.wire.HostAddresses;
import dev.incumbent.wire.StoreUri.HostAndPort;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What all connections of this process to one port of a host know of its addresses. It is shared by name, since a driver makes a factory of sockets for each connection, and tells
 * it nothing but the name. Thread-safe.
 */
final class SharedHostAddresses {
    private static final int MOST_HOSTS = 1_000;

    /** The one that was looked for first goes where there are too many. Guarded by itself. */
    private static final LinkedHashMap<HostAndPort, SharedHostAddresses> HOSTS = new LinkedHashMap<>();

    private final HostAddresses addresses;
    private volatile Optional<InetAddress> taken = Optional.empty();

    private SharedHostAddresses(HostAndPort host) {
        this.addresses = new HostAddresses(host.host());
    }

    static SharedHostAddresses of(HostAndPort host) {
        synchronized (HOSTS) {
            SharedHostAddresses shared = HOSTS.computeIfAbsent(host, SharedHostAddresses::new);
            if (HOSTS.size() > MOST_HOSTS) {
                HOSTS.remove(HOSTS.keySet().iterator().next());
            }
            return shared;
        }
    }

    /** The address at which an attempt succeeded; see {@link HostAddresses#connect}. */
    InetAddress connect(Duration bound, BooleanSupplier isOver, HostAddresses.Attempt<InetAddress> attempt)
            throws IOException {
        InetAddress now = addresses.connect(bound, isOver, attempt);
        taken = Optional.of(now);
        return now;
    }

    /**
     * The address that took the last connection is of no use after all, and the last to be tried from now on. With several connections at once it may have been another one's: then
     * one more connection goes there in vain, and is left in turn.
     */
    void leave() {
        taken.ifPresent(addresses::hasFailed);
        taken = Optional.empty();
    }
}
