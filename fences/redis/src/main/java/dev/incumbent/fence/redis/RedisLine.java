package dev.incumbent.fence.redis;

import dev.incumbent.wire.HostAddresses;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection, which is never made again by itself: what was sent once is not sent twice. Used by one thread at a time; any other may {@link #close()} it, which
 * ends a question under way.
 *
 * <p>It connects to the first address of its host that takes connections. One that is late, or no master's, leaves its address to be tried last.
 */
final class RedisLine implements AutoCloseable {
    private static final String NOSCRIPT = "NOSCRIPT";
    private static final String READONLY = "READONLY";

    private final RedisUrl url;
    private final Optional<Tls> tls;
    private final HostAddresses addresses;
    private final Connection connection;
    private volatile Socket socket = new Socket();
    private volatile Optional<InetAddress> address = Optional.empty();
    private volatile boolean closed;

    /** The same in plain text; over TLS another, above it. */
    private Socket spoken = socket;

    private boolean hasAnswered;

    private RedisLine(RedisUrl url, Optional<Tls> tls, HostAddresses addresses) {
        this.url = url;
        this.tls = tls;
        this.addresses = addresses;
        AtomicBoolean made = new AtomicBoolean();
        JedisSocketFactory once = () -> {
            if (made.getAndSet(true)) {
                throw new JedisConnectionException("the connection was closed");
            }
            return spoken;
        };
        this.connection = new Connection(once);
    }

    /** Connects and logs in within the bound, which then is that of each answer. */
    static RedisLine open(RedisUrl url, HostAddresses addresses, Duration bound) throws RedisFailure {
        RedisLine line = new RedisLine(url, tls(url), addresses);
        boolean opened = false;
        try {
            line.connect(bound);
            opened = true;
            return line;
        } catch (JedisDataException refusal) {
            throw RedisFailure.refused(url, String.valueOf(refusal.getMessage()));
        } catch (JedisConnectionException | IOException failure) {
            throw RedisFailure.unreachable(url, failure);
        } finally {
            if (!opened) {
                line.address.ifPresent(addresses::hasFailed);
                line.close();
            }
        }
    }

    private void connect(Duration bound) throws IOException {
        try {
            spoken = addresses.connect(bound, () -> closed, this::connected);
        } catch (UnknownHostException nowhere) {
            throw new UnknownHostException("there is no host " + url.server().host());
        }
        socket.setSoTimeout((int) Math.max(1, Math.min(bound.toMillis(), Integer.MAX_VALUE)));
        connection.connect();
        if (url.server().login().password().isPresent()) {
            Optional<String> user = url.server().login().user();
            raw(
                    Command.AUTH,
                    user.isPresent()
                            ? new String[] {
                                user.get(), url.server().login().password().get()
                            }
                            : new String[] {url.server().login().password().get()});
        }
        if (url.server().database() > 0) {
            raw(Command.SELECT, Integer.toString(url.server().database()));
        }
    }

    private static Optional<Tls> tls(RedisUrl url) throws RedisFailure {
        if (!url.server().login().tls()) {
            return Optional.empty();
        }
        Optional<Path> authority = url.server().login().authority();
        try {
            return Optional.of(Tls.trusting(authority));
        } catch (GeneralSecurityException e) {
            throw RedisFailure.withoutTls(url, "TLS cannot be used here: " + e.getMessage(), e);
        } catch (IOException e) {
            throw RedisFailure.withoutTls(
                    url, "the file of certificates " + authority.orElseThrow() + " cannot be read: " + e, e);
        }
    }

    private Socket connected(InetAddress where, int millis) throws IOException {
        Socket fresh = new Socket();
        socket = fresh;
        address = Optional.of(where);
        if (closed) {
            fresh.close();
        }
        try {
            fresh.setTcpNoDelay(true);
            fresh.setSoTimeout(millis);
            fresh.connect(new InetSocketAddress(where, url.server().port()), millis);
            return tls.isPresent()
                    ? tls.get().over(fresh, url.server().host(), url.server().port())
                    : fresh;
        } catch (IOException | RuntimeException failure) {
            fresh.close();
            throw failure;
        }
    }

    /** Runs a script: by its name where the server knows it, else by its text. A server that does not know it has done nothing. */
    Object run(RedisScript script, List<String> keys, List<String> arguments) throws RedisFailure {
        try {
            return evaluate(Command.EVALSHA, script.sha1(), keys, arguments);
        } catch (JedisDataException refusal) {
            if (!String.valueOf(refusal.getMessage()).startsWith(NOSCRIPT)) {
                throw refused(refusal);
            }
        } catch (JedisConnectionException failure) {
            throw lost(failure);
        }
        try {
            return evaluate(Command.EVAL, script.text(), keys, arguments);
        } catch (JedisDataException refusal) {
            throw refused(refusal);
        } catch (JedisConnectionException failure) {
            throw lost(failure);
        }
    }

    private Object evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return raw(
                command,
                Stream.of(List.of(script, Integer.toString(keys.size())), keys, arguments)
                        .flatMap(List::stream)
                        .toArray(String[]::new));
    }

    private Object raw(Command command, String... words) {
        connection.sendCommand(command, words);
        Object answer = connection.getOne();
        hasAnswered = true;
        return answer;
    }

    private RedisFailure refused(JedisDataException refusal) {
        String said = String.valueOf(refusal.getMessage());
        if (said.startsWith(READONLY)) {
            address.ifPresent(addresses::hasFailed);
        }
        return RedisFailure.refused(url, said);
    }

    private RedisFailure lost(JedisConnectionException failure) {
        if (failure.getCause() instanceof SocketTimeoutException) {
            address.ifPresent(addresses::hasFailed);
        }
        return hasAnswered ? RedisFailure.broken(url, failure) : RedisFailure.unanswered(url, failure);
    }

    /** Ends it; may be called twice. */
    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket cannot be closed", e);
        }
    }
}
