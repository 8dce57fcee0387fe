package dev.incumbent.sql;

import dev.incumbent.wire.StoreUri.HostAndPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import javax.net.SocketFactory;

/**
 * Makes sockets that connect to each address of a host's name in turn, for the drivers of PostgreSQL and MariaDB, which make one of these by its name for each
 * connection and try the first address alone otherwise. Public for them; see {@link SqlUri#connect}.
 *
 * <p>Once one of its sockets is connected, all others for the same host and port go to the same address, and to no other: PostgreSQL's driver asks the same factory again
 * for a request to cancel, which means a process of that very server. Thread-safe.
 */
public final class EveryAddressSocketFactory extends SocketFactory {
    private final Map<HostAndPort, InetAddress> taken = new ConcurrentHashMap<>();

    /** For a driver, which has nothing to say yet. */
    public EveryAddressSocketFactory() {}

    /** Whether that driver finds this class by its name: it may have been loaded by a loader that knows nothing of ours, as in a servlet container. */
    static boolean isVisibleTo(Class<?> driver) {
        try {
            return Class.forName(EveryAddressSocketFactory.class.getName(), false, driver.getClassLoader())
                    == EveryAddressSocketFactory.class;
        } catch (ClassNotFoundException | LinkageError elsewhere) {
            return false;
        }
    }

    /** One that is not connected. */
    @Override
    public Socket createSocket() throws SocketException {
        return new EveryAddressSocket(this::connect);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    private Socket connected(InetSocketAddress to, InetSocketAddress... local) throws IOException {
        Socket socket = createSocket();
        for (InetSocketAddress one : local) {
            socket.bind(one);
        }
        socket.connect(to);
        return socket;
    }

    private void connect(
            InetSocketAddress to, int millis, BooleanSupplier isClosed, EveryAddressConnector.Attempt attempt)
            throws IOException {
        HostAndPort host = new HostAndPort(to.getHostString(), to.getPort());
        InetAddress before = taken.get(host);
        if (before != null) {
            attempt.at(new InetSocketAddress(before, to.getPort()), millis);
            return;
        }
        Duration bound = Duration.ofMillis(millis == 0 ? Integer.MAX_VALUE : millis);
        InetAddress now = SharedHostAddresses.of(host).connect(bound, isClosed, (address, part) -> {
            attempt.at(new InetSocketAddress(address, to.getPort()), millis == 0 ? 0 : part);
            return address;
        });
        taken.put(host, now);
    }

    /** A socket with such an inside. */
    private static final class EveryAddressSocket extends Socket {
        EveryAddressSocket(EveryAddressConnector.Route route) throws SocketException {
            super(new EveryAddressConnector(route));
        }
    }
}
