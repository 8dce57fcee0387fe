package dev.incumbent.coordinator.etcd;

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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** An etcd gateway that answers what it was told to, each request by the next answer, and remembers the paths asked. Ends the connection when it has none left. */
final class ScriptedGateway implements AutoCloseable {
    private final ServerSocket listener;
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

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

    /** The paths asked, in order. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept();
                    InputStream in = new BufferedInputStream(client.getInputStream());
                    OutputStream out = client.getOutputStream()) {
                while (answered(in, out)) {
                    // the next request of the same connection
                }
            } catch (IOException theClientIsGone) {
                // or the test has ended
            }
        }
    }

    private boolean answered(InputStream in, OutputStream out) throws IOException {
        String first = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            length = header.startsWith("Content-Length: ") ? Integer.parseInt(header.substring(16)) : length;
        }
        in.readNBytes(length);
        asked.add(first.split(" ", 3)[1]);
        if (answers.isEmpty()) {
            return false;
        }
        byte[] body = answers.remove().getBytes(StandardCharsets.UTF_8);
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
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
