package dev.incumbent.agent.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The sockets of the agent, and Jetty behind them. Every size, count and time is bounded. */
final class Door implements AutoCloseable {
    /** Of one socket, so that nobody holds those of another. */
    private static final int CONNECTIONS = 500;

    private static final int STRANGERS = 200;
    /** Accepted and not counted yet. */
    private static final int UNCOUNTED = 100;

    private static final int THREADS = 16;
    private static final int THREADS_OF_A_SOCKET = 2;
    private static final int HEADERS = 8 * 1024;
    private static final int BACKLOG = 128;

    private final Server server;
    private final List<Listen> listens;
    private final List<SocketFile> files;

    private Door(Server server, List<Listen> listens, List<SocketFile> files) {
        this.server = server;
        this.listens = listens;
        this.files = files;
    }

    /** Listens on all of them, and answers by the handler; the files of Unix sockets have that mode. */
    static Door open(List<Listen> asked, String mode, Handler handler) throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS + asked.size() * THREADS_OF_A_SOCKET);
        threads.setName("incumbent-agent-http");
        Server server = new Server(threads);
        server.setHandler(handler);
        server.setErrorHandler(new JettyErrors());
        server.setStopTimeout(0);
        for (Listen one : asked) {
            AbstractConnector connector = connector(server, one);
            connector.addBean(new Crowd(CONNECTIONS, STRANGERS));
            server.addConnector(connector);
            server.addBean(new NetworkConnectionLimit(CONNECTIONS + UNCOUNTED, connector));
        }
        List<SocketFile> files = new ArrayList<>();
        try {
            keepPlaces(asked, files);
            start(server, mode);
            return new Door(server, bound(server, asked), List.copyOf(files));
        } catch (IOException | RuntimeException failed) {
            files.forEach(SocketFile::close);
            throw failed;
        }
    }

    private static void keepPlaces(List<Listen> asked, List<SocketFile> files) throws IOException {
        for (Listen one : asked) {
            if (one instanceof Listen.Unix unix) {
                files.add(SocketFile.keep(unix.path()));
            }
        }
    }

    private static void start(Server server, String mode) throws IOException {
        try {
            server.start();
            for (Connector connector : server.getConnectors()) {
                if (connector instanceof UnixDomainServerConnector unix) {
                    Files.setPosixFilePermissions(unix.getUnixDomainPath(), PosixFilePermissions.fromString(mode));
                }
            }
        } catch (Exception failed) {
            stop(server);
            throw failed instanceof IOException e ? e : new IOException(failed);
        }
    }

    private static AbstractConnector connector(Server server, Listen listen) {
        HttpConnectionFactory http = new HttpConnectionFactory(configuration());
        AbstractConnector connector;
        if (listen instanceof Listen.Tcp tcp) {
            ServerConnector port = new ServerConnector(server, 1, 1, http);
            port.setHost(tcp.host());
            port.setPort(tcp.port());
            port.setAcceptQueueSize(BACKLOG);
            connector = port;
        } else {
            UnixDomainServerConnector socket = new UnixDomainServerConnector(server, 1, 1, http);
            socket.setUnixDomainPath(((Listen.Unix) listen).path());
            socket.setAcceptQueueSize(BACKLOG);
            connector = socket;
        }
        connector.setIdleTimeout(Crowd.IDLE_MILLIS);
        return connector;
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(HEADERS);
        http.setUriCompliance(UriCompliance.DEFAULT.with(
                "AGENT", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR)); // the name of an election is one segment
        return http;
    }

    private static List<Listen> bound(Server server, List<Listen> asked) {
        List<Listen> bound = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Connector connector = server.getConnectors()[i];
            bound.add(
                    asked.get(i) instanceof Listen.Tcp tcp && connector instanceof ServerConnector port
                            ? new Listen.Tcp(tcp.host(), port.getLocalPort())
                            : asked.get(i));
        }
        return List.copyOf(bound);
    }

    /** Where it listens, with the ports that were taken. */
    List<Listen> listens() {
        return listens;
    }

    /** The port that a request came to; empty if it came over a Unix socket. */
    static Optional<Listen.Tcp> tcp(Request request) {
        return request.getConnectionMetaData().getConnector() instanceof ServerConnector port
                ? Optional.of(new Listen.Tcp(String.valueOf(port.getHost()), port.getLocalPort()))
                : Optional.empty();
    }

    @Override
    public void close() {
        stop(server);
        files.forEach(SocketFile::close);
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            // The sockets are closed with the process.
        }
    }
}
