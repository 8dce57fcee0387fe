package dev.incumbent.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Connections that are held: each has said something, or nothing, and says nothing more. Used by one thread. */
final class HeldConnections implements AutoCloseable {
    private static final int MOST = 4096;
    /** Fewer than the agent lets be unknown at a time. */
    private static final int GROUP = 50;

    private final List<SocketChannel> all;
    private final Set<SocketChannel> answered = new HashSet<>();

    private HeldConnections(List<SocketChannel> all) {
        this.all = all;
    }

    static HeldConnections open(SocketAddress to, int count, String said) {
        return new HeldConnections(
                IntStream.range(0, count).mapToObj(i -> open(to, said)).toList());
    }

    /** Opens them in groups, each once the one before it was answered. */
    static HeldConnections known(SocketAddress to, int count, String said) {
        List<SocketChannel> all = new ArrayList<>();
        HeldConnections held = new HeldConnections(all);
        while (all.size() < count) {
            int more = Math.min(GROUP, count - all.size());
            IntStream.range(0, more).forEach(i -> all.add(open(to, said)));
            Await.until("they are known", () -> held.answered() == all.size());
        }
        return held;
    }

    private static SocketChannel open(SocketAddress to, String said) {
        try {
            SocketChannel channel = SocketChannel.open(to);
            channel.configureBlocking(false);
            write(channel, said);
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(SocketChannel channel, String said) {
        try {
            var unused = channel.write(ByteBuffer.wrap(said.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says it on each, and forgets what was answered before. */
    void say(String said) {
        int unused = open();
        answered.clear();
        all.forEach(channel -> write(channel, said));
    }

    /** How many the other end has not ended. */
    int open() {
        return (int) all.stream().filter(this::isOpen).count();
    }

    /** How many were answered something. */
    int answered() {
        int unused = open();
        return answered.size();
    }

    private boolean isOpen(SocketChannel channel) {
        try {
            int read = channel.read(ByteBuffer.allocate(MOST));
            if (read > 0) {
                answered.add(channel);
            }
            return read > 0 ? isOpen(channel) : read == 0;
        } catch (IOException reset) {
            return false;
        }
    }

    @Override
    public void close() {
        for (SocketChannel one : all) {
            try {
                one.close();
            } catch (IOException gone) {
                // As it is meant to be.
            }
        }
    }
}
