package dev.incumbent.benchmarks.many;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.QuorumCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real server, begun for one contender, that tells of its own accord how many keep-alives it was sent.
 *
 * @param endpoint what jetcd is given; empty where it does not speak to it
 * @param keepAlives by its own counters, since it began
 */
record Store(String uri, String endpoint, ToLongFunction<Store> keepAlives, Runnable stop) implements AutoCloseable {
    static final List<String> NAMES = List.of("etcd", "postgresql", "quorum");

    static Store start(String name) throws IOException {
        return switch (name) {
            case "etcd" -> etcd();
            case "postgresql" -> postgresql();
            case "quorum" -> quorum();
            default -> throw new IllegalArgumentException("'" + name + "' is none of " + NAMES);
        };
    }

    long countKeepAlives() {
        return keepAlives.applyAsLong(this);
    }

    /** The messages that its gRPC server received for {@code LeaseKeepAlive}, as its metrics tell; what comes by its gateway is received there, too. */
    private static Store etcd() {
        EtcdServer server = EtcdServer.startOnDisk();
        return new Store(
                server.uri("incumbent"),
                server.clientUrl(),
                store -> received(server.clientUrl(), "LeaseKeepAlive"),
                server::close);
    }

    /** How many messages of that method an etcd's gRPC server has received. */
    static long received(String clientUrl, String method) {
        Pattern line =
                Pattern.compile("(?m)^grpc_server_msg_received_total\\{grpc_method=\"" + method + "\".*} ([0-9.e+]+)$");
        return number(line, get(clientUrl + "/metrics"));
    }

    /** The times that the statement ran, by {@code pg_stat_statements}. It syncs each commit, as PostgreSQL does unless told otherwise. */
    private static Store postgresql() {
        PostgresServer server =
                PostgresServer.start(List.of("fsync=on", "shared_preload_libraries=pg_stat_statements"), Map.of());
        server.psql("create extension pg_stat_statements");
        String uri = "postgresql://" + PostgresServer.USER + ":" + PostgresServer.PASSWORD + "@127.0.0.1:"
                + server.port() + "/postgres";
        String calls = "select coalesce(sum(calls), 0) from pg_stat_statements"
                + " where query like 'update incumbent_lease set expires_us=greatest%'";
        return new Store(uri, "", store -> Long.parseLong(server.psql(calls).strip()), server::close);
    }

    /** Three nodes, and the lines that say {@link Words#KEEP} on the way to them. */
    private static Store quorum() throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                QuorumNodeMain.class.getName());
        QuorumCluster cluster = QuorumCluster.start(3, command);
        byte[] word = Line.of(Words.KEEP, "").getBytes(StandardCharsets.UTF_8);
        AtomicLong count = new AtomicLong();
        List<String> wires = new ArrayList<>();
        for (QuorumCluster.Node node : cluster.nodes()) {
            wires.add("127.0.0.1:" + CountingWire.to(node.port(), word, count).port());
        }
        return new Store("quorum://" + String.join(",", wires), "", store -> count.get(), cluster::close);
    }

    private static long number(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
    }

    private static String get(String url) {
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new IllegalStateException(url + " does not answer", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
