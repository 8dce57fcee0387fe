package dev.incumbent.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plays an agent over a Unix socket: lets everybody stand, answers heartbeats as it is told to, and remembers what it heard. Thread-safe. */
final class ScriptedAgent implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
    private static final String STANDS = "{\"id\":\"c1\",\"heartbeatMs\":%d}";

    private final SystemTimeline time;
    private final Duration heartbeat;
    private final ServerSocketChannel server;
    private final List<Request> heard = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Reply> part = request -> Reply.NONE;

    private ScriptedAgent(SystemTimeline time, Duration heartbeat, ServerSocketChannel server) {
        this.time = time;
        this.heartbeat = heartbeat;
        this.server = server;
    }

    /** What an owner asked, without blanks in its body. */
    record Request(long atMillis, String method, String path, String body) {
        boolean isToStand() {
            return method.equals("POST") && path.endsWith("/campaign");
        }

        boolean isHeartbeat() {
            return method.equals("POST") && !isToStand();
        }

        boolean isToLeave() {
            return method.equals("DELETE");
        }
    }

    /** An answer, and how long it is kept back. The status 0 is none: the connection is closed, as that of an agent which is gone. */
    record Reply(int status, String body, Duration after) {
        static final Reply NONE = new Reply(0, "", Duration.ZERO);

        static Reply leads(long token, Duration holds) {
            return of(200, "{\"leads\":true,\"token\":" + token + ",\"holdsMs\":" + holds.toMillis() + "}");
        }

        static Reply waits() {
            return of(200, "{\"leads\":false,\"place\":1}");
        }

        static Reply ended(long token) {
            return of(200, "{\"leads\":false,\"place\":1,\"ended\":" + token + "}");
        }

        static Reply unknown() {
            return of(404, "{\"status\":404,\"detail\":\"no such candidacy\"}");
        }

        private static Reply of(int status, String body) {
            return new Reply(status, body, Duration.ZERO);
        }

        Reply keptBack(Duration length) {
            return new Reply(status, body, length);
        }
    }

    /** Listens, and tells whoever stands how often it wants to hear from it. */
    static ScriptedAgent open(SystemTimeline time, Path socket, Duration heartbeat) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        ScriptedAgent agent = new ScriptedAgent(time, heartbeat, server);
        inBackground(agent::acceptAll);
        return agent;
    }

    /** From now on heartbeats are answered so. */
    void plays(Function<Request, Reply> next) {
        part = next;
    }

    /** In the order in which they came. */
    List<Request> heard() {
        return List.copyOf(heard);
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "scripted-agent");
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() {
        try {
            while (true) {
                SocketChannel channel = server.accept();
                inBackground(() -> serve(channel));
            }
        } catch (IOException closed) {
            // Nobody is served any more.
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            Request request = read(Channels.newInputStream(channel));
            heard.add(request);
            Reply reply = answer(request);
            SystemTimeline.sleep(reply.after());
            if (reply.status() != 0) {
                write(channel, reply);
            }
        } catch (IOException gone) {
            // The owner waits no longer.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Reply answer(Request request) {
        if (request.isToStand()) {
            return new Reply(201, STANDS.formatted(heartbeat.toMillis()), Duration.ZERO);
        }
        return request.isHeartbeat() ? part.apply(request) : new Reply(200, "{}", Duration.ZERO);
    }

    private Request read(InputStream stream) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = stream.read();
            if (next < 0) {
                throw new IOException("the request ended early");
            }
            head.append((char) next);
        }
        long at = time.wallMillis();
        Matcher length = LENGTH.matcher(head);
        byte[] body = stream.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        String[] line = head.substring(0, head.indexOf("\r\n")).split(" ", 3);
        return new Request(at, line[0], line[1], new String(body, UTF_8).replace(" ", ""));
    }

    private static void write(SocketChannel channel, Reply reply) throws IOException {
        String head = "HTTP/1.1 " + reply.status() + " As told\r\nContent-Type: application/json\r\nContent-Length: "
                + reply.body().length() + "\r\nConnection: close\r\n\r\n";
        ByteBuffer bytes = ByteBuffer.wrap((head + reply.body()).getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
