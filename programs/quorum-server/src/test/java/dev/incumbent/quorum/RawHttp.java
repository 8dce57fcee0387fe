package dev.incumbent.quorum;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** One connection that sends what it is told, as slowly as it is told. */
final class RawHttp implements AutoCloseable {
    private static final int LONGEST_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;

    private RawHttp(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static RawHttp connect(int port) {
        try {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(8_192);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LONGEST_MILLIS);
            socket.setSoTimeout(LONGEST_MILLIS);
            return new RawHttp(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** False where the other side has ended it. */
    boolean send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Has anything come that was not read yet? */
    boolean hasHeard() {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the other side ended it, having said nothing? */
    boolean isEnded() {
        try {
            socket.setSoTimeout(1);
            try {
                return in.read() < 0;
            } finally {
                socket.setSoTimeout(LONGEST_MILLIS);
            }
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** All that comes until the other side ends it. */
    String readToEnd() {
        try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection was not ended within " + LONGEST_MILLIS + " ms", e);
        } catch (IOException reset) {
            return "";
        }
    }

    /** What comes up to that text. */
    String readTo(String last) {
        StringBuilder read = new StringBuilder();
        try {
            while (!endsWith(read, last)) {
                int next = in.read();
                if (next < 0) {
                    throw new AssertionError("the connection was ended after: " + read);
                }
                read.append((char) next);
            }
            return read.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean endsWith(StringBuilder read, String last) {
        int from = read.length() - last.length();
        return from >= 0 && read.indexOf(last, from) == from;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
