package dev.incumbent.etcd;

import dev.incumbent.wire.HttpBody;
import dev.incumbent.wire.Tls;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One HTTP/1.1 connection to one member. Used by one thread; {@link #abort} may be called by any, and ends whatever that thread waits for.
 */
final class HttpWire {
    private static final int LARGEST_ANSWER = 256 << 20;

    private final EtcdAddress.Endpoint endpoint;
    private final SocketChannel channel;
    private final Socket socket;
    private volatile Optional<InetAddress> address = Optional.empty();
    private volatile boolean aborted;
    private boolean secured;
    private boolean answered;
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();

    HttpWire(EtcdAddress.Endpoint endpoint) throws IOException {
        this.endpoint = endpoint;
        this.channel = SocketChannel.open();
        this.socket = channel.socket();
    }

    /** What came back: the status, and the body whole or still to be read. */
    record Answer(int status, InputStream body) {
        String text() throws IOException {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            byte[] piece = new byte[8_192];
            for (int length = body.read(piece); length >= 0; length = body.read(piece)) {
                whole.write(piece, 0, length);
                if (whole.size() > LARGEST_ANSWER) {
                    throw new IOException("the answer is longer than " + LARGEST_ANSWER + " bytes");
                }
            }
            return whole.toString(StandardCharsets.UTF_8);
        }
    }

    boolean isAborted() {
        return aborted;
    }

    EtcdAddress.Endpoint endpoint() {
        return endpoint;
    }

    /** Empty until it was to be connected. */
    Optional<InetAddress> address() {
        return address;
    }

    /** Connects to that address of its member's host. */
    void connect(InetAddress to, Optional<Tls> tls, int timeoutMillis) throws IOException {
        address = Optional.of(to);
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(to, endpoint.port()), timeoutMillis);
        secured = tls.isPresent();
        Socket spoken = tls.isPresent() ? tls.get().over(socket, endpoint.host(), endpoint.port()) : socket;
        in = new BufferedInputStream(spoken.getInputStream(), 16_384);
        out = spoken.getOutputStream();
    }

    /** Sends requests, all in one piece. */
    void send(List<Requests.Question> questions, String headers) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (Requests.Question question : questions) {
            byte[] body = question.body().getBytes(StandardCharsets.UTF_8);
            String head = "POST " + question.path() + " HTTP/1.1\r\nHost: " + endpoint
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n" + headers
                    + "\r\n";
            whole.writeBytes(head.getBytes(StandardCharsets.UTF_8));
            whole.writeBytes(body);
        }
        out.write(whole.toByteArray());
        out.flush();
    }

    /** Waits for the answer's head; its body is read from the connection. */
    Answer receive() throws IOException {
        String[] status = firstLine().split(" ", 3);
        answered = true;
        if (status.length < 2 || !status[0].startsWith("HTTP/1.") || !status[1].matches("[0-9]{3}")) {
            throw new IOException("the answer is no HTTP");
        }
        long length = -1;
        boolean chunked = false;
        for (String header = HttpBody.line(in); !header.isEmpty(); header = HttpBody.line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = length(lower.substring(15).trim());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.contains("chunked");
            }
        }
        return new Answer(Integer.parseInt(status[1]), chunked ? HttpBody.chunked(in) : HttpBody.sized(in, length));
    }

    private static long length(String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException("the answer's length is no number", e);
        }
    }

    private String firstLine() throws IOException {
        try {
            return HttpBody.line(in);
        } catch (EOFException ended) {
            if (answered || secured) {
                throw ended;
            }
            throw new IOException(
                    "it ended the connection without a word, as one does that wants TLS (?tls=true)", ended);
        }
    }

    /** Between requests: is it still open at the other end? What was sent over a connection that had ended would be uncertain for nothing. */
    boolean isUsable() {
        try {
            channel.configureBlocking(false);
            boolean isSilent = channel.read(ByteBuffer.allocate(1)) == 0;
            channel.configureBlocking(true);
            return isSilent;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Ends the connection under whoever uses it. Below TLS, whose farewell could wait for ever. */
    void abort() {
        aborted = true;
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // closed is what it shall be
        }
    }
}
