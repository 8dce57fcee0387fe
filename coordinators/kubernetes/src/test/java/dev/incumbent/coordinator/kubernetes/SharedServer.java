package dev.incumbent.coordinator.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.servers.KubeApiServer;

/** One API server for all tests of this JVM, started by the first and ended with the JVM. */
final class SharedServer {
    private static final class Started {
        static final KubeApiServer SERVER = KubeApiServer.start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private SharedServer() {}

    /** Skips the test where there is none: it is built from its source, which takes long. */
    static KubeApiServer get() {
        assumeBuilt();
        return Started.SERVER;
    }

    static void assumeBuilt() {
        assumeTrue(KubeApiServer.isBuilt(), "kube-apiserver was not built (scripts/build-kube-apiserver)");
    }
}
