package dev.incumbent.acceptance;

import dev.incumbent.servers.Namespaces;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Every coordinator that has members of its own. */
final class Ensembles {
    private static final Map<String, Function<Namespaces, Ensemble>> ALL =
            Map.of("etcd", EtcdEnsemble::new, "zookeeper", ZooKeeperEnsemble::new, "quorum", QuorumEnsemble::new);

    private Ensembles() {}

    /** In the order in which they are told. */
    static List<String> names() {
        return List.of("etcd", "zookeeper", "quorum");
    }

    static Namespaces network(int members) {
        return Namespaces.open(members);
    }

    /** Starts one in a network, which is closed with it. */
    static Ensemble start(String name, Namespaces network) {
        Function<Namespaces, Ensemble> starts = ALL.get(name);
        if (starts == null) {
            throw new IllegalArgumentException("no ensemble is called " + name + "; known are " + names());
        }
        return starts.apply(network);
    }
}
