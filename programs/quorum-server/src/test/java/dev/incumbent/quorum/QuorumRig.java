package dev.incumbent.quorum;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.TcpProxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** A quorum of three processes, and its clients, each with wires of its own to the nodes. */
final class QuorumRig implements WiredRig {
    private static final int MAJORITY = 2;

    private final QuorumCluster cluster;
    private final Duration lease;
    private final Duration requestTimeout;
    private final Wires wires = new Wires();

    QuorumRig(QuorumCluster cluster, Duration lease, Duration requestTimeout) {
        this.cluster = cluster;
        this.lease = lease;
        this.requestTimeout = requestTimeout;
    }

    @Override
    public Wires wires() {
        return wires;
    }

    @Override
    public Coordinator connect() {
        return wires.connect(cluster.nodes().stream().map(Node::port).toList(), this::open);
    }

    private Coordinator open(List<TcpProxy> own) {
        String uri = "quorum://"
                + own.stream().map(wire -> "127.0.0.1:" + wire.port()).collect(Collectors.joining(","));
        return new QuorumCoordinatorProvider().open(uri, timeline(), requestTimeout(), Mode.CREATE);
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return cluster.nodes().stream().allMatch(node -> node.disk().isPresent())
                ? EnumSet.allOf(ServerFault.class)
                : EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    /** Befalls all nodes: of what befalls some, other tests tell. */
    @Override
    public void befall(ServerFault fault) {
        switch (fault) {
            case FROZEN -> cluster.nodes().forEach(node -> node.process().freeze());
            case KILLED -> cluster.nodes().forEach(node -> node.process().kill());
            case FULL -> FullDisks.fill(cluster, cluster.nodes(), MAJORITY);
        }
    }

    @Override
    public void recover(ServerFault fault) {
        switch (fault) {
            case FROZEN -> cluster.nodes().forEach(node -> node.process().thaw());
            case KILLED -> {}
            case FULL -> FullDisks.makeRoom(cluster);
        }
        cluster.startAll();
    }

    /** By the nodes' own HTTP, as a foreign program would. */
    @Override
    public void plantUnreadable(ElectionName election) {
        String read = Calling.post(cluster.leader(), Line.of(Words.READ, election.value()));
        String nonce = Line.fields(Line.lines(read).get(0)).get(2);
        String swap = Calling.post(
                cluster.leader(),
                Line.of(Words.SWAP, election.value(), nonce, UUID.randomUUID().toString(), "", "{\"v\":2}"));
        if (!swap.startsWith(Words.ACCEPTED)) {
            throw new IllegalStateException(swap);
        }
    }

    @Override
    public void plantForeign(String name) {
        post(Words.ACCEPTED, Words.SWAP, name, "", UUID.randomUUID().toString(), "", "{}");
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        post(Words.DONE, Words.ENLIST, name, "planted", lease.value(), text);
    }

    private void post(String expected, String... fields) {
        String answer = Calling.post(cluster.leader(), Line.of(fields));
        if (!answer.startsWith(expected)) {
            throw new IllegalStateException(answer);
        }
    }

    @Override
    public void close() {
        wires.close();
    }
}
