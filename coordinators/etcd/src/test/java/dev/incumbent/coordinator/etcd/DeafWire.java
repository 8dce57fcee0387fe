package dev.incumbent.coordinator.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** A wire to etcd whose streams may become silent: nothing more comes by those that are open then, and every other request is answered. */
final class DeafWire implements AutoCloseable {
    private static final String STREAM = "POST /v3/watch ";
    private static final int BUFFER = 1 << 16;

    private final ServerSocket door;
    private final int target;
    private volatile AtomicBoolean silent = new AtomicBoolean();

    DeafWire(int target) {
        this.target = target;
        try {
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::admit);
    }

    int port() {
        return door.getLocalPort();
    }

    /** The streams that are open now tell nothing any more, and stay open. */
    void silenceStreams() {
        AtomicBoolean before = silent;
        silent = new AtomicBoolean();
        before.set(true);
    }

    private void admit() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                AtomicBoolean isStream = new AtomicBoolean();
                AtomicBoolean mine = silent;
                start(() -> pass(
                        client, server, text -> isStream.compareAndSet(false, text.startsWith(STREAM)), () -> false));
                start(() -> pass(server, client, text -> {}, () -> isStream.get() && mine.get()));
            } catch (IOException closedOrRefused) {
                // The loop's condition tells which.
            }
        }
    }

    private static void pass(Socket from, Socket to, Hearing hearing, Losing losing) {
        byte[] buffer = new byte[BUFFER];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                hearing.hear(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                if (!losing.loses()) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException ended) {
            // Both sides hear it by the end of their connections.
        }
    }

    private interface Hearing {
        void hear(String text);
    }

    private interface Losing {
        boolean loses();
    }

    private static void start(Runnable loop) {
        Thread thread = new Thread(loop, "deaf-wire");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
