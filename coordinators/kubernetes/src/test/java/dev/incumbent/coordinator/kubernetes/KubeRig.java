package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.KubeApiServer;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/** A namespace of its own on a server that all share, and a wire of its own for each client; time is real. */
final class KubeRig implements WiredRig {
    private final Wires wires = new Wires();
    private final TemporaryFolder folder = TemporaryFolder.create("kube-rig");
    private final String namespace = "t-" + UUID.randomUUID();
    private final KubeApiServer server;
    private final Duration requestTimeout;
    private Optional<Path> saved = Optional.empty();
    private Optional<KubeApiServer> restored = Optional.empty();

    KubeRig(KubeApiServer server) {
        this(server, Duration.ofSeconds(4));
    }

    KubeRig(KubeApiServer server, Duration requestTimeout) {
        this.server = server;
        this.requestTimeout = requestTimeout;
        server.createNamespace(namespace);
    }

    String namespace() {
        return namespace;
    }

    KubeApiServer server() {
        return server;
    }

    @Override
    public Wires wires() {
        return wires;
    }

    @Override
    public Coordinator connect() {
        return connect(KubeApiServer.ADMIN, Mode.CREATE);
    }

    Coordinator connect(String token, Mode mode) {
        Coordinator client = wires.connect(restored.orElse(server).port(), wire -> open(uri(wire.port(), token), mode));
        warm(client);
        return client;
    }

    /** Until it has a connection: over a wire that is cut before TLS's handshake no request would ever arrive. */
    private void warm(Coordinator client) {
        for (int tries = 1; ; tries++) {
            try {
                client.elections("").toCompletableFuture().join();
                return;
            } catch (CompletionException slow) {
                if (tries == 15) {
                    throw slow;
                }
            }
        }
    }

    Coordinator open(String uri, Mode mode) {
        return new KubernetesCoordinatorProvider().open(uri, timeline(), requestTimeout(), mode);
    }

    /** Closed with the rig. */
    Coordinator remembered(Coordinator client) {
        return wires.connect(server.port(), unused -> client);
    }

    /** May the one with that token list leases by now? Rights take a moment to be known. */
    boolean may(String token) {
        Coordinator client = open(uri(server.port(), token), Mode.READ_ONLY);
        try {
            client.elections("").toCompletableFuture().join();
            return true;
        } catch (CompletionException notYet) {
            return false;
        } finally {
            client.close();
        }
    }

    /** The URI of a client that connects by that port. */
    String uri(int port, String token) {
        return "kubernetes:///" + namespace + "?kubeconfig=" + kubeconfig(server.kubeconfig(port, token, "default"));
    }

    Path kubeconfig(String text) {
        try {
            return Files.writeString(folder.resolve("config-" + UUID.randomUUID()), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return Pace.lease(Duration.ofSeconds(6), requestTimeout);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(15), requestTimeout);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.RESTORE, Ability.PLANT_UNREADABLE, Ability.PLANT_FOREIGN, Ability.PLANT_CANDIDATE);
    }

    @Override
    public void backUp() {
        saved = Optional.of(server.backUp());
    }

    /** Where the clients are led, a server stands that knows what was saved and no more. */
    @Override
    public void restore() {
        KubeApiServer other = server.restored(saved.orElseThrow());
        restored = Optional.of(other);
        wires.leadTo(other.port());
    }

    @Override
    public void plantForeign(String name) {
        KubeApiServer.Reply reply = server.ask(
                "POST",
                path(""),
                "application/json",
                "{\"metadata\":{\"name\":\"foreign-" + UUID.randomUUID()
                        + "\",\"labels\":{\"incumbent.dev/kind\":\"election\"},\"annotations\":{\"incumbent.dev/election\":\""
                        + name + "\"}}}");
        if (reply.code() != 201) {
            throw new IllegalStateException(reply.toString());
        }
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        patch(
                Names.of(election),
                "{\"metadata\":{\"annotations\":{\"incumbent.dev/record\":\"{\\\"v\\\":2}\",\"incumbent.dev/nonce\":\""
                        + UUID.randomUUID() + "\"}}}");
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        String label = ElectionName.ifLegal(name).map(Names::label).orElse("foreign");
        KubeApiServer.Reply reply = server.ask(
                "POST",
                path(""),
                "application/json",
                "{\"metadata\":{\"name\":\"planted-" + UUID.randomUUID()
                        + "\",\"labels\":{\"incumbent.dev/kind\":\"candidate\",\"incumbent.dev/election\":\"" + label
                        + "\"},\"annotations\":{\"incumbent.dev/election\":\"" + name
                        + "\",\"incumbent.dev/candidate\":\"" + text.replace("\"", "\\\"") + "\"}}}");
        if (reply.code() != 201) {
            throw new IllegalStateException(reply.toString());
        }
    }

    /** What another program does to a Lease object. */
    void patch(String name, String mergePatch) {
        KubeApiServer.Reply reply = server.ask("PATCH", path(name), "application/merge-patch+json", mergePatch);
        if (reply.code() != 200) {
            throw new IllegalStateException(reply.toString());
        }
    }

    /** The API's path of all Lease objects, or of one. */
    String path(String name) {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases" + (name.isEmpty() ? "" : "/" + name);
    }

    @Override
    public void close() {
        wires.close();
        restored.ifPresent(KubeApiServer::close);
        folder.close();
    }
}
