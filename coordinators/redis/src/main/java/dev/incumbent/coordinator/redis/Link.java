package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.wire.HostAddresses;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection, which is never made again: Jedis would connect anew by itself when it finds its socket closed, and so its sockets come from here, where there
 * is one. Used by one thread; any other may {@link #abort()} it, which is how it is bounded in time.
 *
 * <p>It connects to the first address of its host that takes connections. One that is late, or no master's, leaves its address to be tried last.
 */
final class Link {
    private final ServerAddress at;
    private final Role role;
    private final HostAddresses addresses;
    private final Connection connection;
    private volatile Socket socket = new Socket();
    private volatile Optional<InetAddress> address = Optional.empty();
    private volatile boolean aborted;

    /** The same in plain text; over TLS another, above it. */
    private Socket spoken = socket;

    Link(ServerAddress at, Role role, HostAddresses addresses) {
        this.at = at;
        this.role = role;
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

    /** Connects, logs in and asks the server whether it can serve. What fails here was surely not sent. */
    ServerFacts open(Duration bound) {
        boolean isServed = false;
        try {
            spoken = addresses.connect(bound, () -> aborted, this::connected);
            connection.connect();
            logIn();
            ServerFacts facts = ServerFacts.parse(ask(Request.of(Command.INFO)).text());
            facts.check(at, role);
            isServed = true;
            return facts;
        } catch (JedisDataException refusal) {
            String said = String.valueOf(refusal.getMessage());
            throw role == Role.SENTINEL && said.startsWith("NOAUTH")
                    ? Failures.lockedSentinel(at)
                    : Failures.refused(at, said, false);
        } catch (JedisConnectionException | IOException failure) {
            throw Failures.connecting(at, failure);
        } finally {
            if (!isServed) {
                address.ifPresent(addresses::hasFailed);
            }
        }
    }

    private Socket connected(InetAddress where, int millis) throws IOException {
        Socket fresh = new Socket();
        socket = fresh;
        address = Optional.of(where);
        if (aborted) {
            fresh.close();
        }
        try {
            fresh.setTcpNoDelay(true);
            fresh.setKeepAlive(true);
            fresh.connect(new InetSocketAddress(where, at.port()), millis);
            return at.login().tls() ? secured(fresh, millis) : fresh;
        } catch (IOException | RuntimeException failure) {
            fresh.close();
            throw failure;
        }
    }

    private Socket secured(Socket plain, int millis) throws IOException {
        Optional<Path> authority = at.login().authority();
        Tls tls;
        try {
            tls = Tls.trusting(authority);
        } catch (GeneralSecurityException e) {
            throw new CoordinatorUnusableException("TLS cannot be used here: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CoordinatorUnusableException(
                    "the file of certificates " + authority.orElseThrow() + " cannot be read: " + e, e);
        }
        plain.setSoTimeout(millis);
        Socket secured = tls.over(plain, at.host(), at.port());
        plain.setSoTimeout(0);
        return secured;
    }

    private void logIn() {
        ServerAddress.Login login = at.login();
        if (login.password().isPresent()) {
            String password = login.password().get();
            ask(
                    login.user().isPresent()
                            ? Request.of(Command.AUTH, login.user().get(), password)
                            : Request.of(Command.AUTH, password));
        }
        if (at.database() > 0) {
            ask(Request.of(Command.SELECT, Integer.toString(at.database())));
        }
    }

    ServerAddress at() {
        return at;
    }

    /** False once it was ended from here. */
    boolean isOpen() {
        return !socket.isClosed();
    }

    Reply ask(Request request) {
        send(request);
        return Reply.of(receive());
    }

    /** Puts a request into the buffer, which {@link #receive()} empties. */
    void send(Request request) {
        connection.sendCommand(request.command(), request.arguments().toArray(new String[0]));
    }

    /** The next answer; an error that the server answers is thrown. */
    Object receive() {
        return connection.getOne();
    }

    /** Ends it, and leaves the next one to go elsewhere. */
    void leave() {
        address.ifPresent(addresses::hasFailed);
        abort();
    }

    /** Ends it; who waits for an answer fails. May be called twice, and from any thread. */
    void abort() {
        aborted = true;
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            throw new CoordinatorException("a socket cannot be closed: " + alreadyGone.getMessage(), true, alreadyGone);
        }
    }
}
