package dev.incumbent.agent.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where an agent listens: on this machine alone. */
public sealed interface Listen {
    /** A port of a loopback address; port 0 takes a free one. */
    record Tcp(String host, int port) implements Listen {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ":" + port;
        }
    }

    /** A Unix socket, which the agent makes. */
    record Unix(Path path) implements Listen {
        @Override
        public String toString() {
            return UNIX + path;
        }
    }

    String UNIX = "unix:";
    /** The longest path of a Unix socket, in bytes. */
    int LONGEST_PATH = 107;
    /** The last port. */
    int LAST_PORT = 65_535;

    /**
     * Reads {@code HOST:PORT} or {@code unix:/path}.
     *
     * @throws IllegalArgumentException whose message is one sentence, if it is neither
     */
    static Listen parse(String text) {
        return text.startsWith(UNIX) ? unix(text) : tcp(text);
    }

    private static Listen unix(String text) {
        Path path;
        try {
            path = Path.of(text.substring(UNIX.length()));
        } catch (InvalidPathException none) {
            throw new IllegalArgumentException("'" + text + "' names no file", none);
        }
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("'" + text + "' has no absolute path; write unix:/path");
        }
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
            throw new IllegalArgumentException(
                    "'" + text + "' is too long: the path of a Unix socket has at most " + LONGEST_PATH + " bytes");
        }
        return new Unix(path);
    }

    private static Listen tcp(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|]$", "");
        int port = colon < 0 ? -1 : port(text.substring(colon + 1));
        if (host.isEmpty() || port < 0) {
            throw new IllegalArgumentException("'" + text + "' is neither HOST:PORT nor unix:/path");
        }
        if (!isLoopback(host)) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is no address of this machine alone: an agent serves its own host, so give 127.0.0.1:PORT, [::1]:PORT or unix:/path");
        }
        return new Tcp(host, port);
    }

    private static int port(String digits) {
        try {
            int port = Integer.parseInt(digits);
            return port <= LAST_PORT ? port : -1;
        } catch (NumberFormatException none) {
            return -1;
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException none) {
            return false;
        }
    }

    /** The socket address of a port. */
    static InetSocketAddress address(Tcp tcp) {
        return new InetSocketAddress(tcp.host(), tcp.port());
    }
}
