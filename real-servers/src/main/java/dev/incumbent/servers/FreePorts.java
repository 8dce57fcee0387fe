package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 that nobody listens on, and that the kernel gives to nobody who asks for any port: one that is left for a while, because a server restarts or a
 * wire refuses, is free still. Another test may draw the same one before its server listens, which is rare: then the start fails loudly.
 */
public final class FreePorts {
    /** Beneath what Linux gives away by itself (net.ipv4.ip_local_port_range begins at 32768). */
    private static final int LOWEST = 12_000;

    private static final int HIGHEST = 32_000;
    private static final int MOST_TRIES = 1_000;

    private FreePorts() {}

    public static int one() {
        return some(1).get(0);
    }

    /** Different ones. */
    public static List<Integer> some(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tries = 0; held.size() < count; tries++) {
                hold(held, tries);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    private static void hold(List<ServerSocket> held, int tries) {
        int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        try {
            held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            if (tries >= MOST_TRIES) {
                throw new UncheckedIOException("no port from " + LOWEST + " to " + HIGHEST + " is free", taken);
            }
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
