package dev.incumbent.acceptance;

import dev.incumbent.servers.EtcdCluster;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;

/** etcd, as it is set by default from 3.5 on. */
final class EtcdEnsemble implements Ensemble {
    private final Namespaces network;
    private final EtcdCluster cluster;

    EtcdEnsemble(Namespaces network) {
        this.network = network;
        this.cluster = EtcdCluster.start(network.all());
    }

    @Override
    public Namespaces network() {
        return network;
    }

    @Override
    public List<String> hosts() {
        return cluster.members().stream().map(EtcdServer::hostPort).toList();
    }

    @Override
    public String uri(String hosts) {
        return "etcd://" + hosts + "/trial";
    }

    @Override
    public ServerProcess process(int member) {
        return cluster.members().get(member).process();
    }

    @Override
    public void startAgain(int member) {
        process(member).startAgain();
    }

    @Override
    public OptionalInt leader() {
        try {
            return OptionalInt.of(cluster.members().indexOf(cluster.leader()));
        } catch (IllegalStateException | NoSuchElementException nobodySaysSo) {
            return OptionalInt.empty();
        }
    }

    /**
     * A leader that was stopped for longer than a lease had left, and replaced, ends those that its successor kept alive (etcd's issue 15247; seen on 3.4.23 and 3.5.16). Where the majority is
     * frozen with it nobody replaces it, and nothing is excused.
     */
    @Override
    public boolean endsLeasesEarlyAfter(Fault fault) {
        return fault == Fault.LEADER_FROZEN;
    }

    @Override
    public boolean takesPart(int member) {
        try {
            return cluster.members().get(member).isHealthy();
        } catch (IOException unanswered) {
            return false;
        }
    }

    @Override
    public void close() {
        cluster.close();
        network.close();
    }
}
