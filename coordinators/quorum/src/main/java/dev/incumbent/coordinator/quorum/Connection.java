package dev.incumbent.coordinator.quorum;

import dev.incumbent.time.Timeline;
import dev.incumbent.wire.HostAddresses;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP connection to one node, used by one thread; may be closed by any. Small on purpose: requests with a body, answers with a length, one at
 * a time.
 */
final class Connection implements Closeable {
    private static final long LONGEST_UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int LONGEST_HEAD = 16_384;
    private static final int LONGEST_BODY = 64 << 20;

    private final Nodes.Node node;
    private final HostAddresses addresses;
    private final Access access;
    private final Timeline timeline;
    private volatile boolean closed;
    private volatile Socket raw = new Socket();
    private volatile Socket socket = raw;
    private InputStream in = InputStream.nullInputStream();
    private long usedAtNanos;
    private boolean hasAnswered;

    Connection(Nodes.Node node, HostAddresses addresses, Access access, Timeline timeline) {
        this.node = node;
        this.addresses = addresses;
        this.access = access;
        this.timeline = timeline;
        this.usedAtNanos = timeline.nanos();
    }

    Nodes.Node node() {
        return node;
    }

    /** Open, and not unused for so long that the node may have closed it. */
    boolean isUsable() {
        return !raw.isClosed() && timeline.nanos() - usedAtNanos < LONGEST_UNUSED_NANOS;
    }

    /** Connects, at whichever of the host's addresses takes it; where this throws, nothing was sent. */
    void open(long untilNanos) throws IOException {
        try {
            in = addresses.connect(Duration.ofMillis(millisUntil(untilNanos)), () -> closed, this::openAt);
        } catch (UnknownHostException nowhere) {
            throw new IOException("the name " + node.host() + " is unknown", nowhere);
        }
    }

    private InputStream openAt(InetAddress address, int millis) throws IOException {
        Socket attempt = new Socket();
        raw = attempt;
        if (closed) {
            attempt.close();
        }
        try {
            attempt.setTcpNoDelay(true);
            attempt.connect(new InetSocketAddress(address, node.port()), millis);
            attempt.setSoTimeout(millis);
            socket = access.secured(attempt, node.host(), node.port());
            return new BufferedInputStream(socket.getInputStream());
        } catch (IOException failure) {
            attempt.close();
            throw failure;
        }
    }

    /** It failed under way: the host's other addresses are tried first from now on; save where somebody closed it. */
    void hasFailed() {
        if (!closed) {
            addresses.hasFailed(raw.getInetAddress());
        }
    }

    /** Sends a request and reads its answer. */
    HttpReply exchange(String path, Map<String, String> headers, String body, long untilNanos) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("POST ").append(path).append(" HTTP/1.1\r\nHost: ");
        head.append(node.host()).append(':').append(node.port()).append("\r\n");
        access.authorization().ifPresent(value -> header(head, "Authorization", value));
        headers.forEach((name, value) -> header(head, name, value));
        header(head, "Content-Type", "text/plain; charset=utf-8");
        header(head, "Content-Length", Integer.toString(content.length));
        byte[] top = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] message = new byte[top.length + content.length];
        System.arraycopy(top, 0, message, 0, top.length);
        System.arraycopy(content, 0, message, top.length, content.length);
        socket.getOutputStream().write(message);
        socket.getOutputStream().flush();
        HttpReply reply = read(untilNanos);
        hasAnswered = true;
        usedAtNanos = timeline.nanos();
        if (reply.header("connection").filter("close"::equalsIgnoreCase).isPresent()) {
            close();
        }
        return reply;
    }

    private static void header(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    private HttpReply read(long untilNanos) throws IOException {
        String status = headLine(untilNanos);
        String[] words = status.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-5]\\d\\d")) {
            throw new IOException(node + " does not speak HTTP");
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = headLine(untilNanos); !line.isEmpty(); line = headLine(untilNanos)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return new HttpReply(Integer.parseInt(words[1]), headers, content(headers, untilNanos));
    }

    private String content(Map<String, String> headers, long untilNanos) throws IOException {
        String length = headers.getOrDefault("content-length", "");
        if (!length.matches("\\d{1,8}") || Integer.parseInt(length) > LONGEST_BODY) {
            throw new IOException(node + " answered without a usable length: '" + length + "'");
        }
        byte[] bytes = new byte[Integer.parseInt(length)];
        int have = 0;
        while (have < bytes.length) {
            socket.setSoTimeout(millisUntil(untilNanos));
            int more = in.read(bytes, have, bytes.length - have);
            if (more < 0) {
                throw new EOFException(node + " ended the connection within an answer");
            }
            have += more;
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String headLine(long untilNanos) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            socket.setSoTimeout(millisUntil(untilNanos));
            int c = in.read();
            if (c < 0) {
                throw new EOFException(node + " ended the connection"
                        + (hasAnswered || socket != raw ? "" : "; if it speaks TLS, say ?tls=true or ?tls-ca=PATH"));
            }
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append((char) c);
            }
            if (line.length() > LONGEST_HEAD) {
                throw new IOException(node + " answered with an endless header");
            }
        }
    }

    private int millisUntil(long nanos) throws SocketTimeoutException {
        long left = nanos - timeline.nanos();
        if (left <= 0) {
            throw new SocketTimeoutException(node + " did not answer in time");
        }
        return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    @Override
    public void close() {
        closed = true;
        try {
            raw.close();
        } catch (IOException alreadyGone) {
            // Closed is what it shall be.
        }
    }
}
