package dev.incumbent.coordinator.zookeeper;

import org.apache.zookeeper.ZooKeeper;

/** What somebody does to a server by hand. */
final class Plain {
    private Plain() {}

    /** One visit. */
    @FunctionalInterface
    interface Visit<T> {
        T with(ZooKeeper client) throws Exception;
    }

    static <T> T at(String hostPort, Visit<T> visit) {
        try {
            ZooKeeper client = new ZooKeeper(hostPort, 4_000, event -> {});
            try {
                return visit.with(client);
            } finally {
                client.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
