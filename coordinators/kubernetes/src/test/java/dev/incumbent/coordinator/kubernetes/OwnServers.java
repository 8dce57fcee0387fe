package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.servers.KubeApiServer;
import java.util.ArrayDeque;
import java.util.Deque;

/** API servers that a test has for itself while it lasts, and that another may have after it: one takes 350 MB, and seconds of a processor to start. Thread-safe. */
final class OwnServers {
    private static final Deque<KubeApiServer> FREE = new ArrayDeque<>();

    /** One starts at a time: together they would starve each other, and all else. */
    private static final Object STARTING = new Object();

    private OwnServers() {}

    static KubeApiServer borrow() {
        SharedServer.assumeBuilt();
        synchronized (FREE) {
            if (!FREE.isEmpty()) {
                return FREE.pop();
            }
        }
        synchronized (STARTING) {
            KubeApiServer server = KubeApiServer.start("--quota-backend-bytes", "16777216");
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        }
    }

    static void startAgain(KubeApiServer server) {
        synchronized (STARTING) {
            server.startAgain();
        }
    }

    /** Of a server that is well again. */
    static void giveBack(KubeApiServer server) {
        synchronized (FREE) {
            FREE.push(server);
        }
    }
}
