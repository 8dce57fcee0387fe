package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 that nobody listens on, that the kernel gives to nobody who asks for any port, and that no other test of this machine draws while this JVM lives
 * ({@link PortClaims}): one that is left for a while, because a server restarts or a wire refuses, is free still.
 */
public final class FreePorts {
    private static final int LOWEST = 10_000;

    /** Where the ports begin that Linux gives away by itself. */
    private static final Path GIVEN_AWAY = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /** Where Linux gives away nearly all, some of those are drawn too. */
    private static final int HIGHEST = Math.max(2 * LOWEST, firstGivenAway());

    private static final int MOST_TRIES = 1_000;
    private static final PortClaims CLAIMS = PortClaims.ofThisUser();

    private FreePorts() {}

    public static int one() {
        return some(1).get(0);
    }

    /** Different ones. */
    public static List<Integer> some(int count) {
        List<Integer> found = new ArrayList<>();
        for (int tries = 0; found.size() < count; tries++) {
            if (tries == MOST_TRIES) {
                throw new IllegalStateException("no port from " + LOWEST + " to " + HIGHEST + " is free");
            }
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (CLAIMS.claim(port) && nobodyListens(port)) {
                found.add(port);
            }
        }
        return found;
    }

    private static boolean nobodyListens(int port) {
        try (ServerSocket tried = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return tried.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** The kernel tells all of such a file to the first read alone, which must therefore be a large one. */
    private static int firstGivenAway() {
        try (Scanner range = new Scanner(Files.newBufferedReader(GIVEN_AWAY))) {
            return range.nextInt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
