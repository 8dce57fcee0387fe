package dev.incumbent.acceptance;

import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** ZooKeeper with a tick that lets it notice within 2.5 s that a member is gone ({@code syncLimit}: 5 ticks); with its default of 2 s that takes 10 s. */
final class ZooKeeperEnsemble implements Ensemble {
    private static final Duration TICK = Duration.ofMillis(500);

    private final Namespaces network;
    private final List<ZooKeeperServer> members;

    ZooKeeperEnsemble(Namespaces network) {
        this.network = network;
        this.members = ZooKeeperServer.ensemble(network.all(), TICK);
    }

    @Override
    public Namespaces network() {
        return network;
    }

    @Override
    public List<String> hosts() {
        return members.stream().map(ZooKeeperServer::hostPort).toList();
    }

    @Override
    public String uri(String hosts) {
        return "zookeeper://" + hosts + "/trial";
    }

    @Override
    public ServerProcess process(int member) {
        return members.get(member).process();
    }

    @Override
    public void startAgain(int member) {
        process(member).startAgain();
    }

    @Override
    public OptionalInt leader() {
        return IntStream.range(0, members.size())
                .filter(i -> members.get(i).leads())
                .findFirst();
    }

    /**
     * Members elect whoever bears the latest transaction, also one that is heard and hears nobody: they vote for it, cannot reach it, and begin again, as long as
     * that lasts.
     */
    @Override
    public boolean isHeadlessUnder(Fault fault) {
        return fault == Fault.LEADER_DEAF && leader().isEmpty();
    }

    @Override
    public boolean takesPart(int member) {
        return members.get(member).takesPart();
    }

    @Override
    public void close() {
        members.forEach(ZooKeeperServer::close);
        network.close();
    }
}
