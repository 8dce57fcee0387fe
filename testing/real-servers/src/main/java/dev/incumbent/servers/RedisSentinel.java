package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Redis Sentinel of a test's own, on 127.0.0.1: {@code redis-server --sentinel}. It watches one master, which it calls {@code office}. Not thread-safe. */
public final class RedisSentinel implements AutoCloseable {
    public static final String MASTER = "office";

    private final TemporaryFolder folder;
    private final int port;
    private final ServerProcess process;

    private RedisSentinel(
            int masterPort,
            int quorum,
            Duration downAfter,
            List<String> lines,
            Optional<ServerCertificate> certificate) {
        folder = TemporaryFolder.create("redis-sentinel");
        port = FreePorts.one();
        Path configuration = folder.resolve("sentinel.conf");
        String text = String.join(
                "\n",
                listening(certificate, port),
                "bind 127.0.0.1",
                "dir " + folder.path(),
                "sentinel monitor " + MASTER + " 127.0.0.1 " + masterPort + " " + quorum,
                "sentinel down-after-milliseconds " + MASTER + " " + downAfter.toMillis(),
                "sentinel failover-timeout " + MASTER + " 5000",
                String.join("\n", lines),
                "");
        try {
            Files.writeString(configuration, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = List.of("redis-server", configuration.toString(), "--sentinel");
        process = ServerProcess.start("redis-sentinel", command, Map.of(), folder.path(), this::isAnswering);
    }

    /** Starts one that alone decides whether the server at that port is down, after that time; with further lines of its configuration. */
    public static RedisSentinel start(int masterPort, Duration downAfter, String... lines) {
        return new RedisSentinel(masterPort, 1, downAfter, List.of(lines), Optional.empty());
    }

    /** The same, which speaks nothing but TLS, to the master too, and shows that certificate, so that {@link #ask} gets no answer. */
    public static RedisSentinel startOverTls(
            int masterPort, Duration downAfter, ServerCertificate certificate, String... lines) {
        return new RedisSentinel(masterPort, 1, downAfter, List.of(lines), Optional.of(certificate));
    }

    /** Starts that many, a majority of which decides. They find each other by their master within some seconds. */
    public static List<RedisSentinel> start(int count, int masterPort, Duration downAfter) {
        return IntStream.range(0, count)
                .mapToObj(one -> new RedisSentinel(masterPort, count / 2 + 1, downAfter, List.of(), Optional.empty()))
                .toList();
    }

    private static String listening(Optional<ServerCertificate> certificate, int port) {
        return certificate
                .map(shown -> RedisServer.directives(shown, port))
                .orElse(Map.of("port", Integer.toString(port)))
                .entrySet()
                .stream()
                .map(line -> line.getKey() + " " + line.getValue())
                .collect(Collectors.joining("\n"));
    }

    public int port() {
        return port;
    }

    /** The process itself, to freeze, thaw, kill and start again. */
    public ServerProcess process() {
        return process;
    }

    /** As {@link RedisServer#ask}. */
    public String ask(String... words) {
        return RedisServer.ask(port, words);
    }

    /** Does it know that many others, and that many replicas? */
    public boolean knows(int others, int replicas) {
        String said = ask("SENTINEL", "MASTER", MASTER).replaceAll("\\$[0-9]+\r\n", "");
        return said.contains("num-other-sentinels\r\n" + others + "\r\n")
                && said.contains("num-slaves\r\n" + replicas + "\r\n");
    }

    private boolean isAnswering() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        }
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
