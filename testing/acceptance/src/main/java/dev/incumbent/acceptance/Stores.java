package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.KubeApiServer;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every coordinator that candidates of several processes can share: H2 opens its file in one alone. */
final class Stores {
    private static final Duration ZOOKEEPER_TICK = Duration.ofSeconds(2);
    /** The longest session of a ZooKeeper server, in its ticks. */
    private static final int ZOOKEEPER_LONGEST_TICKS = 20;

    private static final int REDLOCK_MASTERS = 5;
    private static final int QUORUM_SERVERS = 3;

    private Stores() {}

    private static Stream<Store> all(Duration longestLease) {
        return Stream.of(
                new Store("file", Stores::file),
                new Store("postgresql", Stores::postgresql),
                new Store("mariadb", Stores::mariadb),
                new Store("mysql", Stores::mysql),
                new Store("etcd", Stores::etcd),
                new Store("zookeeper", () -> zooKeeper(longestLease)),
                new Store("consul", Stores::consul),
                new Store("redis", Stores::redis),
                new Store("redlock", Stores::redlock),
                new Store("dynamodb", Stores::dynamoDb),
                new Store("kubernetes", Stores::kubernetes),
                new Store("quorum", Stores::quorum));
    }

    /** The names of all, also of those that this machine lacks. */
    static List<String> names() {
        return all(Duration.ZERO).map(Store::name).toList();
    }

    /** Why this machine cannot start the store of that name; empty if it can. */
    static Optional<String> whyAbsent(String name) {
        if ("mysql".equals(name) && !MySqlServer.isInstalled()) {
            return Optional.of("MySQL could not be had (scripts/install-servers)");
        }
        if ("kubernetes".equals(name) && !KubeApiServer.isBuilt()) {
            return Optional.of("the Kubernetes API server is not built (scripts/build-kube-apiserver)");
        }
        return Optional.empty();
    }

    /** Those of these names; all where none is named. MySQL is among them where it could be had. */
    static List<Store> named(List<String> names) {
        return named(names, Duration.ZERO);
    }

    /** The same, started so that each grants a lease of that length. Only ZooKeeper must be told. */
    static List<Store> named(List<String> names, Duration longestLease) {
        Set<String> wanted = Set.copyOf(names);
        List<Store> found = all(longestLease)
                .filter(store -> !"mysql".equals(store.name()) || MySqlServer.isInstalled())
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

    private static Running mysql() {
        MySqlServer server = MySqlServer.start();
        return new Running(server.jdbcUrl(), List.of(server::close));
    }

    private static Running etcd() {
        EtcdServer server = EtcdServer.startOnDisk();
        return new Running(server.uri("incumbent"), List.of(server::close));
    }

    private static Running zooKeeper(Duration longestLease) {
        Duration needed = longestLease.dividedBy(ZOOKEEPER_LONGEST_TICKS);
        ZooKeeperServer server = ZooKeeperServer.start(needed.compareTo(ZOOKEEPER_TICK) > 0 ? needed : ZOOKEEPER_TICK);
        return new Running("zookeeper://" + server.hostPort() + "/incumbent", List.of(server::close));
    }

    private static Running consul() {
        ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN);
        return new Running("consul://127.0.0.1:" + server.port() + "/incumbent", List.of(server::close));
    }

    private static Running redis() {
        RedisServer server = RedisServer.start();
        return new Running(server.uri(), List.of(server::close));
    }

    private static Running dynamoDb() {
        DynamoDbServer.provideCredentials();
        DynamoDbServer server = DynamoDbServer.start();
        Coordinators.install(server.uri("offices"));
        return new Running(server.uri("offices"), List.of(server::close));
    }

    private static Running redlock() {
        List<RedisServer> masters = RedisServer.startMasters(REDLOCK_MASTERS);
        String hosts = masters.stream().map(one -> "127.0.0.1:" + one.port()).collect(Collectors.joining(","));
        return new Running("redlock://" + hosts, List.of(() -> masters.forEach(RedisServer::close)));
    }

    private static Running kubernetes() throws IOException {
        KubeApiServer server = KubeApiServer.start();
        server.createNamespace("offices");
        TemporaryFolder folder = TemporaryFolder.create("kubeconfig");
        Path kubeconfig = folder.resolve("config");
        Files.writeString(kubeconfig, server.kubeconfig(server.port(), KubeApiServer.ADMIN, "offices"));
        return new Running("kubernetes:///offices?kubeconfig=" + kubeconfig, List.of(server::close, folder::close));
    }

    private static Running quorum() {
        QuorumCluster servers = QuorumCluster.start(QUORUM_SERVERS, JavaChild.command("dev.incumbent.cli.Main"));
        return new Running(servers.uri(), List.of(servers::close));
    }
}
