package dev.incumbent.coordinator.etcd;

import dev.incumbent.servers.EtcdServer;

/** A server's quota, filled until it takes no write any more, and emptied as its operators would. */
final class FullDisk {
    /** To start the server with: it is filled in a moment. */
    static final String[] SMALL_QUOTA = {"--quota-backend-bytes", "4194304"};

    private static final String FILLER = "x".repeat(100_000);

    private FullDisk() {}

    static void fill(EtcdServer server) {
        for (int i = 0; i < 200; i++) {
            try {
                server.etcdctl("put", "/filler/" + i, FILLER);
            } catch (IllegalStateException full) {
                if (String.valueOf(full.getMessage()).contains("database space exceeded")) {
                    return;
                }
                throw full;
            }
        }
        throw new IllegalStateException("the server took all: its quota is too large");
    }

    static void empty(EtcdServer server) {
        server.etcdctl("del", "--prefix", "/filler/");
        String status = server.etcdctl("endpoint", "status", "-w", "json");
        String revision = status.replaceAll("(?s).*\"revision\":([0-9]+).*", "$1");
        server.etcdctl("compact", revision);
        server.etcdctl("defrag");
        server.etcdctl("alarm", "disarm");
    }
}
