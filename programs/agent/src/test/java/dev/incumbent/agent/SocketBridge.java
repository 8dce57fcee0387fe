package dev.incumbent.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A port of 127.0.0.1 that leads to a Unix socket: bytes pass as they come, and so do the ends of connections. All its threads are daemons. */
final class SocketBridge implements AutoCloseable {
    private static final int PIECE = 8192;

    private final SocketAddress target;
    private final ServerSocketChannel listening;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "bridge");
        thread.setDaemon(true);
        return thread;
    });

    SocketBridge(Path socket) throws IOException {
        this.target = UnixDomainSocketAddress.of(socket);
        this.listening = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        threads.execute(this::accept);
    }

    int port() {
        return listening.socket().getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel here = listening.accept();
                threads.execute(() -> join(here));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void join(SocketChannel here) {
        try {
            SocketChannel there = SocketChannel.open(target);
            threads.execute(() -> pass(there, here));
            pass(here, there);
        } catch (IOException refused) {
            end(here);
        }
    }

    /** Until the end of what comes, which ends what goes out. Whoever resets one side resets both; what nobody takes any more is passed over, so that an answer still passes. */
    private static void pass(SocketChannel from, SocketChannel to) {
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        try {
            boolean isTaken = true;
            while (from.read(piece) >= 0) {
                isTaken = isTaken && isTaken(piece.flip(), to);
                piece.clear();
            }
            to.shutdownOutput();
        } catch (IOException reset) {
            end(from);
            end(to);
        }
    }

    private static boolean isTaken(ByteBuffer piece, SocketChannel to) {
        try {
            while (piece.hasRemaining()) {
                var unused = to.write(piece);
            }
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private static void end(SocketChannel one) {
        try {
            one.close();
        } catch (IOException gone) {
            // As it is meant to be.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
