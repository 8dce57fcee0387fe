package dev.incumbent.benchmarks.many;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** A wire to a port of this machine that counts how often clients say a word at the beginning of a line. */
final class CountingWire implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final ServerSocket door;
    private final int target;
    private final byte[] word;
    private final AtomicLong count;

    private CountingWire(ServerSocket door, int target, byte[] word, AtomicLong count) {
        this.door = door;
        this.target = target;
        this.word = word.clone();
        this.count = count;
    }

    static CountingWire to(int target, byte[] word, AtomicLong count) throws IOException {
        CountingWire wire =
                new CountingWire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target, word, count);
        start(wire::admit);
        return wire;
    }

    int port() {
        return door.getLocalPort();
    }

    private void admit() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                start(() -> pass(client, server, true));
                start(() -> pass(server, client, false));
            } catch (IOException closedOrRefused) {
                // The loop's condition tells which.
            }
        }
    }

    private void pass(Socket from, Socket to, boolean counts) {
        byte[] buffer = new byte[BUFFER];
        int matched = 0;
        boolean atBeginning = true;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                for (int i = 0; counts && i < read; i++) {
                    matched = (matched > 0 || atBeginning) && buffer[i] == word[matched] ? matched + 1 : 0;
                    atBeginning = buffer[i] == '\n';
                    if (matched == word.length) {
                        count.incrementAndGet();
                        matched = 0;
                    }
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException ended) {
            // Both sides hear it by the end of their connections.
        }
    }

    private static void start(Runnable loop) {
        Thread thread = new Thread(loop, "counting-wire");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
