package dev.incumbent.quorum;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Takes a node's place, begins each answer as a node does, and never ends it. */
final class RunawayNode implements AutoCloseable {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n";
    private static final int PIECE = 1 << 16;

    private final ServerSocket listening;
    private final boolean spills;
    private final AtomicLong written = new AtomicLong();
    private final CompletableFuture<Void> dropped = new CompletableFuture<>();

    private RunawayNode(boolean spills) {
        this.spills = spills;
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::serve, "runaway-node");
        thread.setDaemon(true);
        thread.start();
    }

    /** Writes the body for as long as somebody takes it. */
    static RunawayNode spilling() {
        return new RunawayNode(true);
    }

    /** Writes the head, and nothing more. */
    static RunawayNode stalling() {
        return new RunawayNode(false);
    }

    Member member(String name) {
        int port = listening.getLocalPort();
        return new Member(name, "127.0.0.1", port, port == 1 ? 2 : port - 1);
    }

    /** Bytes of bodies that the system took from it. */
    long written() {
        return written.get();
    }

    /** Done once a caller has given up an answer and dropped the connection. */
    CompletableFuture<Void> dropped() {
        return dropped;
    }

    private void serve() {
        while (!listening.isClosed()) {
            try (Socket caller = listening.accept()) {
                answer(caller);
            } catch (IOException over) {
                dropped.complete(null);
            }
        }
    }

    private void answer(Socket caller) throws IOException {
        OutputStream out = caller.getOutputStream();
        byte[] piece = new byte[PIECE];
        Arrays.fill(piece, (byte) 'x');
        out.write(HEAD.getBytes(StandardCharsets.US_ASCII));
        while (spills) {
            out.write(piece);
            written.addAndGet(PIECE);
        }
        while (caller.getInputStream().read() >= 0) {
            // Its request, and at the end that it has gone.
        }
        throw new IOException("the caller has gone");
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
