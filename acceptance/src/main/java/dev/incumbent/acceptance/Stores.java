package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import java.util.List;
import java.util.Set;

/** Every coordinator there is. */
final class Stores {
    private Stores() {}

    static List<Store> all() {
        return List.of(
                new Store("file", Stores::file),
                new Store("postgresql", Stores::postgresql),
                new Store("mariadb", Stores::mariadb),
                new Store("etcd", Stores::etcd));
    }

    /** Those of these names; all where none is named. */
    static List<Store> named(List<String> names) {
        Set<String> wanted = Set.copyOf(names);
        List<Store> found = all().stream()
                .filter(store -> wanted.isEmpty() || wanted.contains(store.name()))
                .toList();
        if (found.size() < wanted.size()) {
            throw new IllegalArgumentException("of " + wanted + " only these are known: "
                    + found.stream().map(Store::name).toList());
        }
        return found;
    }

    private static Running file() {
        TemporaryFolder folder = TemporaryFolder.create("file");
        return new Running("file:" + folder.resolve("coordinator.db"), List.of(folder::close));
    }

    private static Running postgresql() {
        PostgresServer server = PostgresServer.start();
        return new Running(server.jdbcUrl(), List.of(server::close));
    }

    private static Running mariadb() {
        MariaDbServer server = MariaDbServer.start();
        return new Running(server.jdbcUrl(), List.of(server::close));
    }

    private static Running etcd() {
        EtcdServer server = EtcdServer.start();
        return new Running(server.uri("/incumbent"), List.of(server::close));
    }
}
