package dev.incumbent.quorum;

import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Three nodes, each a process, that reach each other by wires. All have the same list of members, by names, and each has a file of hosts of its own: its name leads to where it listens, and the
 * names of the others to wires.
 */
final class SeenByOthers implements AutoCloseable {
    private static final int SIZE = 3;

    private final TemporaryFolder folder = TemporaryFolder.create("seen");
    private final List<TcpProxy> wires = new ArrayList<>();
    private final List<ServerProcess> processes = new ArrayList<>();
    private final List<Integer> ports = FreePorts.some(2);

    private SeenByOthers() {}

    /** Returns once one of them leads. */
    static SeenByOthers start(String electionTimeout) throws IOException {
        SeenByOthers nodes = new SeenByOthers();
        for (int i = 0; i < SIZE; i++) {
            for (int port : nodes.ports) {
                nodes.wires.add(TcpProxy.at(
                        new InetSocketAddress(wireAddress(i), port), new InetSocketAddress(address(i), port)));
            }
        }
        for (int i = 0; i < SIZE; i++) {
            nodes.launch(i, electionTimeout);
        }
        Waiting.until("a leader", () -> IntStream.range(0, SIZE).anyMatch(nodes::leads));
        return nodes;
    }

    private void launch(int node, String electionTimeout) throws IOException {
        StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
        List<String> line = new ArrayList<>(ServerMain.command());
        line.addAll(
                List.of("server", "--name", name(node), "--data", data(node), "--election-timeout", electionTimeout));
        for (int i = 0; i < SIZE; i++) {
            String leadsTo = (i == node ? address(i) : wireAddress(i)).getHostAddress();
            hosts.append(leadsTo).append(' ').append(name(i)).append(".test\n");
            line.addAll(List.of("--member", name(i) + "=" + name(i) + ".test:" + ports.get(0) + "/" + ports.get(1)));
        }
        Path file = Files.writeString(folder.resolve("hosts-" + node), hosts);
        line.add(1, "-Djdk.net.hosts.file=" + file);
        processes.add(ServerProcess.start(name(node), line, Map.of(), folder.path(), () -> true));
    }

    private String data(int node) {
        return folder.resolve(name(node)).toString();
    }

    static String name(int node) {
        return "n" + (node + 1);
    }

    /** Where it listens. */
    private static InetAddress address(int node) throws UnknownHostException {
        return InetAddress.getByName("127.0.0." + (31 + node));
    }

    private static InetAddress wireAddress(int node) throws UnknownHostException {
        return InetAddress.getByName("127.0.0." + (41 + node));
    }

    int leader() {
        return IntStream.range(0, SIZE).filter(this::leads).findFirst().orElseThrow();
    }

    private boolean leads(int node) {
        return ask("GET", node, "/v1/status").body().contains("\"leads\":true");
    }

    /** What a client opens that asks this node alone. */
    String uri(int node) {
        return "quorum://127.0.0." + (31 + node) + ":" + ports.get(0);
    }

    /** By which the others replicate the log to it. */
    TcpProxy replicationTo(int node) {
        return wires.get(2 * node + 1);
    }

    /** An answer of a node; code 0 where there is none. */
    record Answer(int code, String body) {}

    Answer ask(String method, int node, String path) {
        try {
            HttpURLConnection asked =
                    (HttpURLConnection) URI.create("http://127.0.0." + (31 + node) + ":" + ports.get(0) + path)
                            .toURL()
                            .openConnection();
            asked.setRequestMethod(method);
            asked.setConnectTimeout(5_000);
            asked.setReadTimeout(30_000);
            int code = asked.getResponseCode();
            try (InputStream body = code < 400 ? asked.getInputStream() : asked.getErrorStream()) {
                return new Answer(code, new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException noAnswer) {
            return new Answer(0, noAnswer.toString());
        }
    }

    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
        wires.forEach(TcpProxy::close);
        folder.close();
    }
}
