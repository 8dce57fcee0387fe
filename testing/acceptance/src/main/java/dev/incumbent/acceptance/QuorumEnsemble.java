package dev.incumbent.acceptance;

import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Our own servers. */
final class QuorumEnsemble implements Ensemble {
    /** An election timeout at which a crowded machine elects nobody anew for want of a processor. */
    static final List<String> PATIENT = List.of("--election-timeout", "1s");

    private final Namespaces network;
    private final QuorumCluster cluster;

    QuorumEnsemble(Namespaces network) {
        this.network = network;
        this.cluster = QuorumCluster.start(network.all(), command(), PATIENT.toArray(new String[0]));
    }

    /** What starts one node. */
    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.incumbent.cli.Main");
    }

    @Override
    public Namespaces network() {
        return network;
    }

    @Override
    public List<String> hosts() {
        return cluster.nodes().stream().map(QuorumCluster.Node::hostPort).toList();
    }

    @Override
    public String uri(String hosts) {
        return "quorum://" + hosts;
    }

    @Override
    public ServerProcess process(int member) {
        return cluster.nodes().get(member).process();
    }

    @Override
    public void startAgain(int member) {
        cluster.launch(cluster.nodes().get(member));
    }

    @Override
    public OptionalInt leader() {
        return IntStream.range(0, size())
                .filter(i -> status(i).contains("\"leads\":true"))
                .findFirst();
    }

    @Override
    public boolean takesPart(int member) {
        OptionalInt leader = leader();
        return leader.isPresent()
                && status(member)
                        .contains("\"leader\":\""
                                + cluster.nodes().get(leader.getAsInt()).name() + "\"");
    }

    /** Its port tells of health long before its log is read and it can vote: the status is there from then on. */
    @Override
    public boolean hasStarted(int member) {
        return !status(member).isEmpty();
    }

    private String status(int member) {
        return cluster.status(cluster.nodes().get(member));
    }

    @Override
    public void close() {
        cluster.close();
        network.close();
    }
}
