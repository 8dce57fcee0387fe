package dev.incumbent.acceptance;

import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.TemporaryFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The coordinators whose backups are put back. */
final class Restorables {
    private static final Map<String, Supplier<Restorable>> ALL =
            Map.of("etcd", Etcd::new, "postgresql", Postgres::new, "consul", Consul::new, "quorum", Quorum::new);

    private Restorables() {}

    /** In the order in which they are told. */
    static List<String> names() {
        return List.of("etcd", "postgresql", "consul", "quorum");
    }

    static Restorable start(String name) {
        return Optional.ofNullable(ALL.get(name)).orElseThrow().get();
    }

    /** By etcdctl's snapshot and a new data folder, at the same addresses. */
    private static final class Etcd implements Restorable {
        private final TemporaryFolder folder = TemporaryFolder.create("etcd-snapshot");
        private EtcdServer server = EtcdServer.start();

        @Override
        public String uri() {
            return server.uri("restored");
        }

        @Override
        public void save() {
            var unused = server.etcdctl("snapshot", "save", snapshot().toString());
        }

        @Override
        public void goBack() {
            server.close();
            server = EtcdServer.restored(snapshot(), server.port(), server.peerPort());
        }

        private Path snapshot() {
            return folder.resolve("snapshot.db");
        }

        @Override
        public void close() {
            server.close();
            folder.close();
        }
    }

    /** By a copy of its data at one instant. */
    private static final class Postgres implements Restorable {
        private final TemporaryFolder folder = TemporaryFolder.create("postgres-copy");
        private final PostgresServer server = PostgresServer.start();

        @Override
        public String uri() {
            return server.jdbcUrl();
        }

        @Override
        public void save() {
            server.copyDataTo(folder.resolve("data"));
        }

        @Override
        public void goBack() {
            server.putBack(folder.resolve("data"));
        }

        @Override
        public void close() {
            server.close();
            folder.close();
        }
    }

    /** By Consul's own snapshot, which the running server takes in. */
    private static final class Consul implements Restorable {
        private final ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN);

        @Override
        public String uri() {
            return "consul://127.0.0.1:" + server.port() + "/restored";
        }

        @Override
        public void save() {
            server.save("yesterday");
        }

        @Override
        public void goBack() {
            server.restore("yesterday");
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** By copies of all disks at one instant. */
    private static final class Quorum implements Restorable {
        private final TemporaryFolder folder = TemporaryFolder.create("quorum-copies");
        private final QuorumCluster cluster =
                QuorumCluster.start(3, QuorumEnsemble.command(), QuorumEnsemble.PATIENT.toArray(new String[0]));

        @Override
        public String uri() {
            return cluster.uri();
        }

        @Override
        public void save() {
            cluster.copyDataTo(folder.path());
        }

        @Override
        public void goBack() {
            cluster.putBack(folder.path());
        }

        @Override
        public void close() {
            cluster.close();
            folder.close();
        }
    }
}
