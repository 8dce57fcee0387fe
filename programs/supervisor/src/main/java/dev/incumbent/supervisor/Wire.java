package dev.incumbent.supervisor;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The connection to a supervisor: lines out, lines in. Any thread may say, one thread hears.
 *
 * <p>What is said is sent by a thread of its own: an interrupt of a thread that writes would close the connection, and
 * a closed connection kills the command.
 */
final class Wire {
    private static final int MOST_UNSENT_LINES = 100_000;

    private final SocketChannel socket;
    private final BufferedReader incoming;
    private final BlockingQueue<String> unsent = new LinkedBlockingQueue<>(MOST_UNSENT_LINES);
    private final Thread sender = new Thread(this::send, "incumbent-supervisor-sender");

    Wire(SocketChannel socket) {
        this.socket = socket;
        this.incoming = new BufferedReader(Channels.newReader(socket, StandardCharsets.US_ASCII));
        sender.setDaemon(true);
        sender.start();
    }

    /** Sends a line that is not empty, or several, soon. One that cannot be sent ends the connection, which the hearing thread is told. */
    void say(String line) {
        if (!unsent.offer(line)) {
            hangUp();
        }
    }

    private void send() {
        try {
            while (true) {
                String line = unsent.take();
                if (line.isEmpty()) {
                    return;
                }
                ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    socket.write(bytes);
                }
            }
        } catch (IOException | InterruptedException end) {
            hangUp();
        }
    }

    /** Waits for the next line; empty at the end of the connection, however that came. */
    Optional<String> hear() {
        try {
            return Optional.ofNullable(incoming.readLine());
        } catch (IOException reset) {
            return Optional.empty();
        }
    }

    /** Waits for the end of the connection, whatever is said until then. */
    void hearOut() {
        Optional<String> line = hear();
        while (line.isPresent()) {
            line = hear();
        }
    }

    /** Nobody vouches for the command any more; what the supervisor says can still be heard. */
    void hangUp() {
        try {
            socket.shutdownOutput();
        } catch (IOException alreadyClosed) {
            closeQuietly(socket);
        }
    }

    /** Closes once all that was said is sent, or after that time. Blocks. */
    void closeOnceSent(Duration patience) {
        try {
            if (unsent.offer("")) {
                sender.join(patience.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    void close() {
        sender.interrupt();
        closeQuietly(socket);
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyClosed) {
            return;
        }
    }
}
