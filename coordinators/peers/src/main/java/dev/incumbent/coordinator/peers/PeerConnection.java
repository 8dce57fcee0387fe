package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.peers.PeerFrames.PeerFrame;
import dev.incumbent.model.Candidate;
import dev.incumbent.peers.MemberId;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A connection with one other member, after both have greeted. Whoever made it reads it by {@link #readAll}; a thread of its own writes. What is sent waits in a queue of bounded length, from which
 * the oldest message falls out. Nothing was received for some time: it ends. Thread-safe.
 */
final class PeerConnection {
    /** Messages that wait to be written. Each member is sent a few in a heartbeat. */
    private static final int MOST_WAITING = 64;

    /** So often something is written, a message or not. */
    private static final long ALIVE_EVERY_MILLIS = 500;

    /** Where nothing was read for so long, the other end is gone. */
    static final int SILENCE_MILLIS = 3_000;

    private static final byte[] NOTHING = {};

    private final PeerGreeting theirs;
    private final Socket raw;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    // Both guarded by the queue.
    private boolean isWriting;
    private boolean isClosed;

    /** Over a socket whose two greetings were exchanged; {@code raw} is beneath it where it speaks TLS. */
    PeerConnection(PeerGreeting theirs, Socket raw, DataInputStream in, DataOutputStream out) {
        this.theirs = theirs;
        this.raw = raw;
        this.in = in;
        this.out = out;
    }

    MemberId member() {
        return theirs.from();
    }

    /** What the other member tells of itself. */
    Candidate candidate() {
        return theirs.candidate();
    }

    static DataInputStream reading(Socket socket) throws IOException {
        return new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    static DataOutputStream writing(Socket socket) throws IOException {
        return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Begins to write. */
    void start() {
        Thread writer = new Thread(this::writeAll, "incumbent-peers-writes-" + member());
        writer.setDaemon(true);
        writer.start();
    }

    void send(byte[] message) {
        synchronized (waiting) {
            if (waiting.size() >= MOST_WAITING) {
                waiting.removeFirst();
            }
            waiting.addLast(message);
            waiting.notifyAll();
        }
    }

    /** Is there nothing left to write? */
    boolean isIdle() {
        synchronized (waiting) {
            return isClosed || (waiting.isEmpty() && !isWriting);
        }
    }

    /** Reads on the calling thread until the connection ends, and says why it did. */
    String readAll(BiConsumer<MemberId, byte[]> receiver) {
        try {
            raw.setSoTimeout(SILENCE_MILLIS);
            while (true) {
                PeerFrame frame = PeerFrames.read(in);
                if (frame.kind() == PeerFrames.MESSAGE) {
                    receiver.accept(member(), frame.body());
                }
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } finally {
            close();
        }
    }

    private void writeAll() {
        try {
            for (Optional<byte[]> next = next(); next.isPresent(); next = next()) {
                byte[] message = next.get();
                PeerFrames.write(out, message == NOTHING ? PeerFrames.ALIVE : PeerFrames.MESSAGE, message);
                out.flush();
            }
        } catch (IOException ended) {
            close();
        } catch (InterruptedException nobodyElseMayEndThisThread) {
            close();
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the next message; {@link #NOTHING} where there was none for a while, empty at the end. */
    private Optional<byte[]> next() throws InterruptedException {
        synchronized (waiting) {
            isWriting = false;
            if (waiting.isEmpty() && !isClosed) {
                waiting.wait(ALIVE_EVERY_MILLIS);
            }
            if (isClosed) {
                return Optional.empty();
            }
            isWriting = true;
            return Optional.of(waiting.isEmpty() ? NOTHING : waiting.removeFirst());
        }
    }

    /** Ends it, and with it the two threads. Closes the plain socket, since closing TLS may wait for the other end. */
    void close() {
        synchronized (waiting) {
            isClosed = true;
            waiting.notifyAll();
        }
        try {
            raw.close();
        } catch (IOException endsAnyway) {
            // Nothing is read or written any more.
        }
    }
}
