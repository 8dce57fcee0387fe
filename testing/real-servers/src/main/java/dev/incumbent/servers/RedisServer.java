package dev.incumbent.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Redis server of a test's own, on a port of 127.0.0.1 that stays the same. It keeps its data in a log that is flushed once a second, or with each write where
 * asked for, so that a kill loses nothing. Not thread-safe.
 */
public final class RedisServer implements AutoCloseable {
    private final TemporaryFolder folder;
    private final int port;
    private final boolean speaksTls;
    private final ServerProcess process;

    private RedisServer(List<String> options, Optional<ServerCertificate> certificate) {
        speaksTls = certificate.isPresent();
        folder = TemporaryFolder.create("redis");
        port = FreePorts.one();
        List<String> command = new ArrayList<>(List.of("redis-server", "--bind", "127.0.0.1", "--save", ""));
        command.addAll(List.of("--appendonly", "yes", "--dir", folder.path().toString(), "--daemonize", "no"));
        certificate.ifPresentOrElse(
                shown -> directives(shown, port).forEach((name, value) -> command.addAll(List.of("--" + name, value))),
                () -> command.addAll(List.of("--port", Integer.toString(port))));
        command.addAll(options);
        process = ServerProcess.start("redis-server", command, Map.of(), folder.path(), this::isAnswering);
    }

    /** Starts one, with further options of its own as on its command line. */
    public static RedisServer start(String... options) {
        return new RedisServer(List.of(options), Optional.empty());
    }

    /** The same, which speaks nothing but TLS and shows that certificate, so that {@link #ask} gets no answer. It asks its clients for none. */
    public static RedisServer startOverTls(ServerCertificate certificate, String... options) {
        return new RedisServer(List.of(options), Optional.of(certificate));
    }

    /** What lets a server, or a sentinel, speak nothing but TLS at that port, also where it is a client itself. */
    static Map<String, String> directives(ServerCertificate certificate, int port) {
        return Map.of(
                "port", "0",
                "tls-port", Integer.toString(port),
                "tls-replication", "yes",
                "tls-auth-clients", "no",
                "tls-cert-file", certificate.file().toString(),
                "tls-key-file", certificate.key().toString(),
                "tls-ca-cert-file", certificate.file().toString());
    }

    /** Starts a replica of this one, which serves it as its copy. */
    public RedisServer startReplica() {
        return start("--replicaof", "127.0.0.1 " + port);
    }

    /** Starts that many that know nothing of each other, each of which flushes every write, as Redlock asks. */
    public static List<RedisServer> startMasters(int count) {
        return Stream.generate(() -> start("--appendfsync", "always"))
                .limit(count)
                .toList();
    }

    public int port() {
        return port;
    }

    /** Its URI, straight. */
    public String uri() {
        return (speaksTls ? "rediss" : "redis") + "://127.0.0.1:" + port;
    }

    /** The process itself, to freeze, thaw, kill and start again. */
    public ServerProcess process() {
        return process;
    }

    /** Asks it over a connection of its own, words without blanks, and tells its raw answer: its first line, and what came with it. */
    public String ask(String... words) {
        return ask(port, words);
    }

    static String ask(int port, String... words) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            StringBuilder line = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                line.append('$')
                        .append(word.getBytes(StandardCharsets.UTF_8).length)
                        .append("\r\n")
                        .append(word)
                        .append("\r\n");
            }
            socket.getOutputStream().write(line.toString().getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            byte[] first = new byte[65_536];
            int length = in.read(first);
            return length < 0 ? "" : new String(first, 0, length, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "-" + e.getMessage();
        }
    }

    /** After a start it first reads its data, and refuses everything meanwhile. */
    private boolean isAnswering() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            if (speaksTls) {
                return true;
            }
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            return answer != null && !answer.startsWith("-LOADING");
        }
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
