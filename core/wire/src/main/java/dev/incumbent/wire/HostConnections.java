package dev.incumbent.wire;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Connections over HTTP/1.1 to one host and port, at whichever of the host's addresses takes them; idle ones are used again. For clients of stores that try the first
 * address alone, once that one has failed. Thread-safe.
 */
public final class HostConnections implements AutoCloseable {
    private static final int MOST_IDLE = 8;
    private static final int PLAIN_PORT = 80;
    private static final int TLS_PORT = 443;

    private final String host;
    private final int port;
    private final Optional<SSLContext> tls;
    private final HostAddresses addresses;
    private final Deque<HttpSocket> idle = new ArrayDeque<>();
    private boolean closed;

    /** To the host and port of that URI, with that context where it is {@code https}. */
    public HostConnections(URI uri, SSLContext context) {
        this(uri, context, new HostAddresses(uri.getHost()));
    }

    HostConnections(URI uri, SSLContext context, HostAddresses addresses) {
        this.host = uri.getHost();
        this.port = port(uri);
        this.tls = isSecure(uri) ? Optional.of(context) : Optional.empty();
        this.addresses = addresses;
    }

    private static boolean isSecure(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    static int port(URI uri) {
        int usual = isSecure(uri) ? TLS_PORT : PLAIN_PORT;
        return uri.getPort() < 0 ? usual : uri.getPort();
    }

    /** Whether a host is written as an address, so that there is nothing to choose. */
    public static boolean isNumber(URI uri) {
        String host = uri.getHost();
        return host == null || host.startsWith("[") || host.matches("[0-9.]+");
    }

    public HostAddresses addresses() {
        return addresses;
    }

    /** Whether there is nothing to choose. Blocks while the name is resolved. */
    public boolean isOneAddress() throws ConnectException {
        try {
            return addresses.inOrder().size() == 1;
        } catch (UnknownHostException nowhere) {
            throw unreached(nowhere);
        }
    }

    /** A request; its body is text in UTF-8. The host is that of the connections, and the length that of the body. */
    public record WholeRequest(String method, URI uri, Map<String, List<String>> headers, String body) {}

    /** An answer, read to its end. */
    public record WholeAnswer(int statusCode, Map<String, List<String>> headers, String body) {}

    /**
     * Sends a request once, and reads its answer. Blocks. A {@link ConnectException} says that nothing was sent.
     *
     * @param connecting how long all addresses together may take to be connected to
     * @param begun is given what ends it early, whenever that is something else
     */
    public WholeAnswer ask(WholeRequest request, Duration connecting, int mostBytes, Consumer<Runnable> begun)
            throws IOException {
        AtomicReference<Optional<HttpSocket>> ours = new AtomicReference<>(Optional.empty());
        HttpSocket open = connected(connecting, Thread.currentThread()::isInterrupted, it -> {
            ours.set(Optional.of(it));
            begun.accept(() -> ours.getAndSet(Optional.empty()).ifPresent(HttpSocket::abort));
        });
        try {
            byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
            open.send(request.method(), request.uri(), request.headers(), Optional.of(body));
            HttpHead head = open.receive(request.method());
            byte[] answer = head.body().readNBytes(mostBytes + 1);
            if (answer.length > mostBytes) {
                throw new IOException("the answer is longer than " + mostBytes + " bytes");
            }
            if (head.isLast()) {
                open.abort();
            } else {
                // Whatever ends this request later ends no connection that may be another's.
                ours.getAndSet(Optional.empty()).ifPresent(this::giveBack);
            }
            String text = new String(answer, StandardCharsets.UTF_8);
            return new WholeAnswer(head.statusCode(), head.headers().map(), text);
        } catch (IOException failure) {
            leave(open);
            throw failure;
        }
    }

    /** An idle connection, or a new one. {@code begun} hears of each that is tried, so that it can be aborted. Blocks. */
    HttpSocket connected(Duration bound, BooleanSupplier isOver, Consumer<HttpSocket> begun) throws IOException {
        for (Optional<HttpSocket> one = idle(); one.isPresent(); one = idle()) {
            if (one.get().isUsable()) {
                begun.accept(one.get());
                return one.get();
            }
            one.get().abort();
        }
        try {
            return addresses.connect(bound, isOver, (address, millis) -> {
                HttpSocket fresh = new HttpSocket(address);
                begun.accept(fresh);
                if (isOver.getAsBoolean()) {
                    fresh.abort();
                }
                try {
                    fresh.connect(host, port, tls, millis);
                } catch (IOException failure) {
                    fresh.abort();
                    throw failure;
                }
                return fresh;
            });
        } catch (SSLException distrusted) {
            throw distrusted;
        } catch (IOException unreached) {
            throw unreached(unreached);
        }
    }

    /** Whoever meets this kind knows that nothing was sent. */
    private static ConnectException unreached(IOException why) {
        ConnectException told = new ConnectException(String.valueOf(why.getMessage()));
        told.initCause(why);
        return told;
    }

    private synchronized Optional<HttpSocket> idle() {
        return Optional.ofNullable(idle.pollFirst());
    }

    /** Its answer was read to the end. */
    void giveBack(HttpSocket connection) {
        synchronized (this) {
            if (!closed && idle.size() < MOST_IDLE) {
                idle.addFirst(connection);
                return;
            }
        }
        connection.abort();
    }

    /** It ended under way, or nobody waited any longer for what it would bring. */
    void leave(HttpSocket connection) {
        connection.abort();
        addresses.hasFailed(connection.address());
    }

    /** Ends what is idle, now and whenever a connection is given back. */
    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(HttpSocket::abort);
        idle.clear();
    }
}
