package dev.incumbent.quorum;

import dev.incumbent.adverse.AdverseRig;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A quorum of three processes, and its clients, each with wires of its own to the nodes. */
final class QuorumRig implements AdverseRig {
    private final QuorumCluster cluster;
    private final Duration lease;
    private final Duration requestTimeout;
    private final SystemTimeline system = new SystemTimeline();
    private final Map<Coordinator, List<TcpProxy>> clients = new LinkedHashMap<>();

    QuorumRig(QuorumCluster cluster, Duration lease, Duration requestTimeout) {
        this.cluster = cluster;
        this.lease = lease;
        this.requestTimeout = requestTimeout;
    }

    @Override
    public synchronized Coordinator connect() {
        List<TcpProxy> wires =
                cluster.nodes().stream().map(node -> TcpProxy.to(node.port())).toList();
        String uri = "quorum://"
                + wires.stream().map(wire -> "127.0.0.1:" + wire.port()).collect(Collectors.joining(","));
        Coordinator client = new QuorumCoordinatorProvider().open(uri, system, requestTimeout(), Mode.CREATE);
        clients.put(client, wires);
        return client;
    }

    @Override
    public Timeline timeline() {
        return system;
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
        return Duration.ofSeconds(5);
    }

    @Override
    public void passTime(Duration length) {
        long end = system.nanos() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - system.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.PLANT_UNREADABLE);
    }

    @Override
    public Set<Cut> cuts() {
        return EnumSet.allOf(Cut.class);
    }

    @Override
    public synchronized void cut(Coordinator client, Cut how) {
        clients.getOrDefault(client, List.of()).forEach(wire -> wire.cut(TcpProxy.Fault.valueOf(how.name())));
    }

    @Override
    public synchronized void heal(Coordinator client) {
        clients.getOrDefault(client, List.of()).forEach(TcpProxy::heal);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    /** Befalls all nodes: of what befalls some, another test tells. */
    @Override
    public void befall(ServerFault fault) {
        cluster.nodes().forEach(node -> {
            if (fault == ServerFault.FROZEN) {
                node.process().freeze();
            } else {
                node.process().kill();
            }
        });
    }

    @Override
    public void recover(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            cluster.nodes().forEach(node -> node.process().thaw());
        }
        cluster.startAll();
    }

    @Override
    public synchronized void reset(Coordinator client) {
        clients.getOrDefault(client, List.of()).forEach(TcpProxy::reset);
    }

    @Override
    public synchronized void loseNextAnswer(Coordinator client) {
        clients.getOrDefault(client, List.of()).forEach(TcpProxy::loseNextAnswer);
    }

    @Override
    public synchronized void slow(Coordinator client, Duration by) {
        clients.getOrDefault(client, List.of()).forEach(wire -> wire.slow(by));
    }

    /** By the nodes' own HTTP, as a foreign program would. */
    @Override
    public void plantUnreadable(ElectionName election) {
        String read = post(Line.of(Words.READ, election.value()));
        String nonce = Line.fields(Line.lines(read).get(0)).get(2);
        String swap = post(
                Line.of(Words.SWAP, election.value(), nonce, UUID.randomUUID().toString(), "", "{\"v\":2}"));
        if (!swap.startsWith(Words.ACCEPTED)) {
            throw new IllegalStateException(swap);
        }
    }

    private String post(String call) {
        try {
            URI where = URI.create("http://127.0.0.1:" + cluster.leader().port() + Words.CALLS);
            HttpRequest request = HttpRequest.newBuilder(where)
                    .POST(HttpRequest.BodyPublishers.ofString(Line.body(List.of(call))))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized void close() {
        clients.keySet().forEach(Coordinator::close);
        clients.values().forEach(wires -> wires.forEach(TcpProxy::close));
        system.close();
    }
}
