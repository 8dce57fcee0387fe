package dev.incumbent.fuzz;

import dev.incumbent.fuzz.MalformedRequest.End;
import dev.incumbent.fuzz.MalformedRequest.Piece;
import dev.incumbent.fuzz.Outcome.How;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sends malformed requests to a port of 127.0.0.1, a connection for each, as each says. Thread-safe. */
final class Delivery implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    /** Whoever has answered whatever it answers says nothing for so long. */
    private static final int QUIET_MILLIS = 150;
    /** A server has so long to answer or to close, once nothing more can come. */
    private static final int LONGEST_MILLIS = 30_000;

    private static final int LONGEST_ANSWER = 64 << 10;
    /** Such an answer goes on for as long as its reader is there. */
    private static final String EVENTS = "Content-Type: text/event-stream";

    private final Queue<LeftOpen> leftOpen = new ConcurrentLinkedQueue<>();

    /** One whose sender says nothing more, and what came over it. */
    private record LeftOpen(Socket socket, StringBuilder answer) {}

    Outcome deliver(int port, MalformedRequest request) {
        Socket socket = new Socket();
        Outcome outcome;
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            outcome = outcome(socket, request);
        } catch (IOException refused) {
            outcome = new Outcome(request, String.valueOf(refused), How.NOT_TAKEN);
        }
        if (outcome.how() == How.LEFT_OPEN) {
            leftOpen.add(new LeftOpen(socket, new StringBuilder()));
        } else {
            close(socket);
        }
        return outcome;
    }

    private static Outcome outcome(Socket socket, MalformedRequest request) {
        StringBuilder answer = new StringBuilder();
        try {
            send(socket, request);
            switch (request.end()) {
                case STAYS -> {
                    return new Outcome(request, "", How.LEFT_OPEN);
                }
                case RESETS -> socket.setSoLinger(true, 0);
                default -> read(socket, request.end(), answer);
            }
            return new Outcome(request, answer.toString(), How.CLOSED);
        } catch (SocketTimeoutException hangs) {
            return new Outcome(request, answer.toString(), How.HANGS);
        } catch (IOException reset) {
            drain(socket, answer);
            return new Outcome(request, answer.toString(), How.RESET);
        }
    }

    private static void send(Socket socket, MalformedRequest request) throws IOException {
        for (Piece piece : request.pieces()) {
            if (piece.afterMillis() > 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(piece.afterMillis()));
            }
            socket.getOutputStream().write(piece.bytes().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Whoever waits for more than was sent is told that nothing more comes. */
    private static void read(Socket socket, End end, StringBuilder answer) throws IOException {
        if (end == End.READS) {
            socket.setSoTimeout(QUIET_MILLIS);
            try {
                readToEnd(socket, answer);
                return;
            } catch (SocketTimeoutException quiet) {
                // Nothing more comes of itself.
            }
        }
        socket.shutdownOutput();
        socket.setSoTimeout(LONGEST_MILLIS);
        readToEnd(socket, answer);
    }

    private static void readToEnd(Socket socket, StringBuilder answer) throws IOException {
        byte[] some = new byte[8_192];
        InputStream in = socket.getInputStream();
        for (int count = in.read(some); count >= 0; count = in.read(some)) {
            if (answer.length() < LONGEST_ANSWER) {
                answer.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
            }
        }
    }

    /** What had come before the server ended it. */
    private static void drain(Socket socket, StringBuilder answer) {
        try {
            socket.setSoTimeout(QUIET_MILLIS);
            readToEnd(socket, answer);
        } catch (IOException nothingMore) {
            // It was reset.
        }
    }

    /** How many were left open on purpose. */
    int leftOpen() {
        return leftOpen.size();
    }

    /** How many of those the server has ended by now, or may keep, as it sends events over them. */
    int endedByTheServer() {
        return (int) leftOpen.stream().filter(Delivery::isEnded).count();
    }

    private static boolean isEnded(LeftOpen one) {
        try {
            one.socket.setSoTimeout(1);
            readToEnd(one.socket, one.answer);
            return true;
        } catch (SocketTimeoutException open) {
            return one.answer.indexOf(EVENTS) >= 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // As it is meant to be.
        }
    }

    @Override
    public void close() {
        leftOpen.forEach(one -> close(one.socket));
        leftOpen.clear();
    }
}
