package dev.incumbent.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A stranger who holds many connections open and lets each take as long as it may; one that is closed is opened anew. One thread does it all. */
final class SlowSockets implements AutoCloseable {
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Some hundred a second: how fast a node whose code is cold takes thousands at once is another question. */
    private static final long BETWEEN_OPENINGS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int SMALL_BUFFER = 4_096;

    private final List<Slow> all = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "slow-sockets");
    private volatile boolean over;

    /** What a connection does. */
    enum Kind {
        /** A header every two seconds. */
        HEADERS("GET /v1/status HTTP/1.1\r\n", "X-Slow: yes\r\n"),
        /** A byte of a body every two seconds. */
        BODY("POST /v1/calls HTTP/1.1\r\nContent-Length: 100000\r\n\r\n", "x"),
        /** Nothing. */
        SILENT("", ""),
        /** The beginning of a handshake, and a byte more every two seconds. */
        HANDSHAKE("\u0016\u0003\u0001\u0001\u0000\u0001", "\u0000"),
        /** Asks for what is long, and reads none of it. */
        READER("GET /v1/elections/slow/long HTTP/1.1\r\n\r\n", "");

        private final String first;
        private final String later;

        Kind(String first, String later) {
            this.first = first;
            this.later = later;
        }
    }

    /** One connection, while it is open. */
    private static final class Slow {
        private final Kind kind;
        private final InetSocketAddress to;
        private SocketChannel channel;

        private Slow(Kind kind, int port) throws IOException {
            this.kind = kind;
            this.to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            this.channel = opened();
        }

        private SocketChannel opened() throws IOException {
            LockSupport.parkNanos(BETWEEN_OPENINGS_NANOS);
            SocketChannel channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_BUFFER);
            channel.connect(to);
            channel.configureBlocking(false);
            say(channel, kind.first);
            return channel;
        }

        private static void say(SocketChannel channel, String text) throws IOException {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        }

        /** Goes on, or begins anew where the node has ended it. */
        private void goOn() throws IOException {
            try {
                say(channel, kind.later);
                if (kind == Kind.READER || channel.read(ByteBuffer.allocate(1_024)) >= 0) {
                    return;
                }
            } catch (IOException ended) {
                // As the end of the file.
            }
            channel.close();
            channel = opened();
        }
    }

    /** So many connections of each kind to each port. */
    static SlowSockets open(List<Integer> ports, Map<Kind, Integer> kinds) {
        SlowSockets opened = new SlowSockets();
        try {
            for (Map.Entry<Kind, Integer> kind : new TreeMap<>(kinds).entrySet()) {
                for (int i = 0; i < kind.getValue() * ports.size(); i++) {
                    opened.all.add(new Slow(kind.getKey(), ports.get(i % ports.size())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        opened.thread.setDaemon(true);
        opened.thread.start();
        return opened;
    }

    private void run() {
        while (!over) {
            LockSupport.parkNanos(ROUND_NANOS);
            for (Slow one : all) {
                try {
                    one.goOn();
                } catch (IOException refused) {
                    // Tried again in the next round.
                }
            }
        }
    }

    @Override
    public void close() {
        over = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
            for (Slow one : all) {
                one.channel.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
