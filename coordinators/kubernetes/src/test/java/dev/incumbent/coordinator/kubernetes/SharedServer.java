package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.servers.KubeApiServer;

/** One API server for all tests of this JVM, started by the first and ended with the JVM. */
final class SharedServer {
    private static final KubeApiServer SERVER = KubeApiServer.start();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
    }

    private SharedServer() {}

    static KubeApiServer get() {
        return SERVER;
    }
}
