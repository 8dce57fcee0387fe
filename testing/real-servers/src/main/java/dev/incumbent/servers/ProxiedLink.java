package dev.incumbent.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One proxied connection: two threads that carry bytes, one each way. Thread-safe. */
final class ProxiedLink {
    private static final long TIME_TO_ARRIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Socket client;
    private final Socket server;
    private final Wire wire;
    private final Consumer<ProxiedLink> ended;
    private volatile boolean waiting;
    private volatile boolean answersEnded;
    /** A request waited for the healing: nothing that is answered from then on arrives. */
    private volatile boolean losesAnswers;

    ProxiedLink(Socket client, Socket server, Wire wire, Consumer<ProxiedLink> ended) throws IOException {
        this.client = client;
        this.server = server;
        this.wire = wire;
        this.ended = ended;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void pump() {
        daemon("proxy-requests", this::carryRequests);
        daemon("proxy-answers", this::carryAnswers);
    }

    /** In the outermost group: a wire's threads are no client's, whoever laid it. */
    static void daemon(String name, Runnable work) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread thread = new Thread(group, work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void carryRequests() {
        byte[] piece = new byte[65_536];
        try (InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream()) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                waiting = true;
                Wire.Fate fate = wire.request();
                losesAnswers |= fate == Wire.Fate.ARRIVES_LATE;
                if (fate != Wire.Fate.LOST) {
                    out.write(piece, 0, length);
                    out.flush();
                }
                if (fate == Wire.Fate.ARRIVES_LATE) {
                    arriveLate(in, out);
                    return;
                }
                waiting = false;
                if (answersEnded) { // while this request was held: nobody else ends the connection
                    return;
                }
            }
        } catch (IOException ended) {
            // the one end or the other closed it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reset();
        }
    }

    /** What the client had sent besides arrives too, before the connection ends, which it must: its answers were lost. */
    private static void arriveLate(InputStream in, OutputStream out) throws IOException {
        while (in.available() > 0) {
            out.write(in.readNBytes(in.available()));
            out.flush();
        }
        LockSupport.parkNanos(TIME_TO_ARRIVE_NANOS);
    }

    private void carryAnswers() {
        byte[] piece = new byte[65_536];
        try {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                switch (wire.answer()) {
                    case ARRIVES, ARRIVES_LATE -> {
                        if (!losesAnswers) {
                            out.write(piece, 0, length);
                            out.flush();
                        }
                    }
                    case LOST -> {}
                    case LOST_WITH_ITS_CONNECTION -> {
                        end();
                        return;
                    }
                }
            }
            awaitHealing();
        } catch (IOException ended) {
            // the one end or the other closed it
        } finally {
            answersEnded = true;
            if (!waiting) {
                end();
            }
        }
    }

    /** What was answered arrives before the end. */
    private void end() {
        close(server);
        close(client);
        ended.accept(this);
    }

    /** The server's farewell is lost like everything else. */
    private void awaitHealing() {
        while (wire.isCut() && !client.isClosed()) {
            LockSupport.parkNanos(TIME_TO_ARRIVE_NANOS);
        }
    }

    /** Ends at the healing, unless a request of its own still waits to arrive: then after that. */
    void retire() {
        if (wire.isCut() && !waiting) {
            reset();
        }
    }

    void reset() {
        reset(client);
        reset(server);
        ended.accept(this);
    }

    static void reset(Socket socket) {
        try {
            if (!socket.isClosed()) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException alreadyGone) {
            // closed is what it shall be
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // closed is what it shall be
        }
    }
}
