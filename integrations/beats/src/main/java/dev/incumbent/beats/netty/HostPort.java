package dev.incumbent.beats.netty;

import java.net.InetSocketAddress;

/** A host and a port, as {@code host:port}, or {@code [address]:port} for IPv6. */
record HostPort(String host, int port) {
    private static final int HIGHEST_PORT = 65_535;

    static HostPort of(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0 || host.isEmpty() || (!isBracketed && host.contains(":"))) {
            throw new IllegalArgumentException("'" + text + "' is no HOST:PORT, as h1:7400 or [::1]:7400");
        }
        return new HostPort(isBracketed ? host.substring(1, host.length() - 1) : host, port(text, colon));
    }

    private static int port(String text, int colon) {
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port >= 0 && port <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException none) {
            // Told below, as a number that is no port.
        }
        throw new IllegalArgumentException("the port of '" + text + "' is no number from 0 to " + HIGHEST_PORT);
    }

    /** The same; where its port was left open, with the port of that address. */
    HostPort withPortOf(InetSocketAddress bound) {
        return port == 0 ? new HostPort(host, bound.getPort()) : this;
    }

    /** The same, as it was read. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
