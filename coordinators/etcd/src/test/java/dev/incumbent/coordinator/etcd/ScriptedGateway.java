package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An etcd gateway that answers what it is told to, each request by the next answer, for which it waits, and remembers the paths asked. One connection at a time. */
final class ScriptedGateway implements AutoCloseable {
    /** In place of an answer: the connection ends. */
    static final String END = "end";

    /** In place of an answer: none comes, until the client has ended the connection. */
    static final String SILENCE = "silence";

    /** In place of a path: the client ended the connection in the silence. */
    static final String LEFT = "left";

    private final ServerSocket listener;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    ScriptedGateway() {
        try {
            listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::serve, "scripted-gateway");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    void answers(List<String> more) {
        answers.addAll(more);
    }

    /** Waits until the next is asked. */
    void awaitAsked(String path) throws InterruptedException {
        assertThat(asked.poll(20, TimeUnit.SECONDS)).isEqualTo(path);
    }

    /** The paths asked and not awaited, in order. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    /** How many have been accepted. */
    int connections() {
        return connections.get();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept();
                    InputStream in = new BufferedInputStream(client.getInputStream());
                    OutputStream out = client.getOutputStream()) {
                connections.incrementAndGet();
                while (answered(in, out)) {
                    // the next request of the same connection
                }
            } catch (IOException theClientIsGone) {
                // or the test has ended
            } catch (InterruptedException nobodyInterruptsIt) {
                return;
            }
        }
    }

    private boolean answered(InputStream in, OutputStream out) throws IOException, InterruptedException {
        String first = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            length = header.startsWith("Content-Length: ") ? Integer.parseInt(header.substring(16)) : length;
        }
        in.readNBytes(length);
        asked.add(first.split(" ", 3)[1]);
        String answer = answers.take();
        if (answer.equals(SILENCE)) {
            asked.addAll(in.read() < 0 ? List.of(LEFT) : List.of());
        }
        if (answer.equals(SILENCE) || answer.equals(END)) {
            return false;
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.UTF_8));
        out.write(body);
        out.flush();
        return true;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended");
            }
            line.append((char) c);
        }
        return line.toString().trim();
    }

    @Override
    public void close() {
        answers.add(END);
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
