package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.peers.PeerFrames.PeerFrame;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.wire.HostAddresses;
import dev.incumbent.wire.StoreUri.HostAndPort;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * Connections over TCP, one for each pair of members: the lesser one dials, again and again with growing waits, and the greater one listens. Both greet, and refuse what is not of their group. A new
 * connection with a member takes the place of the one before.
 *
 * <p>Threads: one that accepts, one that ends slow greetings, one for each member that is dialled or has dialled, one writer for each connection.
 */
final class SocketTransport implements PeerTransport {
    private static final int CONNECT_MILLIS = 1_000;
    /** A greeting is over after this, in all; it is looked at so often meanwhile. */
    private static final int GREETING_MILLIS = 3_000;

    private static final int GREETING_LOOKS = 6;
    private static final long FLUSH_LOOK_MILLIS = 5;
    private static final long CLOSING_MILLIS = 1_000;
    private static final long LEAST_WAIT_MILLIS = 50;
    private static final long MOST_WAIT_MILLIS = 1_000;
    private static final int MOST_STRANGERS = 16;

    private final PeersUri uri;
    private final PeerGroup group;
    private final PeerGreeting mine;
    private final Map<MemberId, PeerConnection> connections = new ConcurrentHashMap<>();
    /** Connections whose greetings are not exchanged, and how often each was looked at. */
    private final Map<Socket, Integer> strangers = new ConcurrentHashMap<>();

    private final Semaphore mayGreet = new Semaphore(MOST_STRANGERS);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ServerSocket listener;
    private volatile Optional<Thread> acceptor = Optional.empty();

    /** {@code mine} is what this member says of itself; whom it greets is filled in. */
    SocketTransport(PeersUri uri, PeerGreeting mine) {
        this.uri = uri;
        this.group = uri.groupOf(mine.from());
        this.mine = mine;
        this.listener = listening(uri.listen().orElse(uri.addressOf(mine.from())));
    }

    private static ServerSocket listening(HostAndPort at) {
        InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
        try {
            return bound(new ServerSocket(), address);
        } catch (IOException e) {
            throw new CoordinatorUnusableException(
                    "this member cannot listen at " + at + ": " + e.getMessage()
                            + "; if that is not an address of this machine, say listen=HOST:PORT",
                    e);
        }
    }

    private static ServerSocket bound(ServerSocket socket, InetSocketAddress address) throws IOException {
        try {
            socket.setReuseAddress(true);
            socket.bind(address);
            return socket;
        } catch (IOException | RuntimeException unbound) {
            socket.close();
            throw unbound;
        }
    }

    @Override
    public void open(Receiver receiver) {
        thread("incumbent-peers-greets", this::endSlowGreetings);
        acceptor = Optional.of(thread("incumbent-peers-accepts", () -> acceptAll(receiver)));
        for (MemberId greater : group.greater()) {
            thread("incumbent-peers-dials-" + greater, () -> dialAll(greater, receiver));
        }
    }

    private static Thread thread(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** A read has a bound, and whoever sends a byte now and then would stay below it for ever. */
    private void endSlowGreetings() {
        while (!isClosed()) {
            pause(GREETING_MILLIS / GREETING_LOOKS);
            strangers.replaceAll((socket, looks) -> looks + 1);
            strangers.forEach((socket, looks) -> {
                if (looks > GREETING_LOOKS) {
                    close(socket);
                }
            });
        }
    }

    private void dialAll(MemberId to, Receiver receiver) {
        HostAndPort address = uri.addressOf(to);
        HostAddresses addresses = new HostAddresses(address.host());
        long wait = LEAST_WAIT_MILLIS;
        while (!isClosed()) {
            try {
                PeerConnection connection = dialled(to, address, addresses);
                wait = LEAST_WAIT_MILLIS;
                served(connection, receiver);
            } catch (MessageException refused) {
                receiver.trouble(
                        "the member " + to + " at " + address + " does not take part: " + refused.getMessage());
            } catch (SSLException insecure) {
                if (!isClosed()) {
                    receiver.trouble("the member " + to + " at " + address + " does not take part: its TLS fails: "
                            + insecure.getMessage());
                }
            } catch (IOException notThere) {
                // A member that is down is nothing to tell: the election goes on without it.
            } catch (RuntimeException | Error failed) {
                receiver.trouble("the member " + to + " at " + address + " is dialled again: " + failed);
            }
            try {
                if (closed.await(wait, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException nobodyElseMayEndThisThread) {
                return;
            }
            wait = Math.min(2 * wait, MOST_WAIT_MILLIS);
        }
    }

    private void served(PeerConnection connection, Receiver receiver) {
        try {
            serve(connection, receiver);
        } finally {
            connection.close();
        }
    }

    /** Tries each address of a name until the member greets there. The name is looked up each time, since addresses may change. */
    private PeerConnection dialled(MemberId to, HostAndPort at, HostAddresses addresses)
            throws IOException, MessageException {
        try {
            return addresses.connect(
                    Duration.ofMillis(CONNECT_MILLIS),
                    this::isClosed,
                    (one, millis) -> dialled(to, at, new InetSocketAddress(one, at.port()), millis));
        } catch (NotTheMemberException refused) {
            throw refused.why;
        }
    }

    private PeerConnection dialled(MemberId to, HostAndPort at, InetSocketAddress one, int millis) throws IOException {
        Socket raw = new Socket();
        boolean isGreeted = false;
        try {
            strangers.put(raw, 0);
            if (isClosed()) {
                throw new IOException("closed");
            }
            raw.setTcpNoDelay(true);
            raw.connect(one, millis);
            raw.setSoTimeout(GREETING_MILLIS);
            PeerConnection connection = greeted(raw, to, at);
            isGreeted = true;
            return connection;
        } catch (MessageException refused) {
            throw new NotTheMemberException(refused);
        } finally {
            strangers.remove(raw);
            if (!isGreeted) {
                close(raw);
            }
        }
    }

    /** Somebody answers at an address, and is not the member that was dialled, or does not take this one. */
    private static final class NotTheMemberException extends IOException {
        private static final long serialVersionUID = 1L;
        private final MessageException why;

        NotTheMemberException(MessageException why) {
            super(why);
            this.why = why;
        }
    }

    /** Whoever dials greets first. */
    private PeerConnection greeted(Socket raw, MemberId to, HostAndPort address) throws IOException, MessageException {
        Socket socket = uri.tls().isPresent() ? uri.tls().get().dialled(raw, address) : raw;
        DataInputStream in = PeerConnection.reading(socket);
        DataOutputStream out = PeerConnection.writing(socket);
        PeerGreeting theirs = exchanged(in, out, to);
        if (!theirs.from().equals(to)) {
            throw new MessageException("it calls itself " + theirs.from());
        }
        return new PeerConnection(theirs, raw, in, out);
    }

    /** Whoever does not trust this member's certificate says so after the handshake, and may be gone before that is read. */
    private PeerGreeting exchanged(DataInputStream in, DataOutputStream out, MemberId to)
            throws IOException, MessageException {
        try {
            greet(out, to);
            return greeting(PeerFrames.read(in));
        } catch (SocketException | EOFException ended) {
            if (uri.tls().isPresent()) {
                throw PeerTls.ended(ended);
            }
            throw ended;
        }
    }

    private void greet(DataOutputStream out, MemberId to) throws IOException {
        PeerGreeting said = new PeerGreeting(mine.kind(), mine.group(), mine.ring(), mine.from(), to, mine.candidate());
        PeerFrames.write(out, PeerFrames.GREETING, PeerGreeting.CODEC.written(said));
        out.flush();
    }

    private PeerGreeting greeting(PeerFrame frame) throws MessageException {
        if (frame.kind() == PeerFrames.REFUSAL) {
            throw new MessageException(new String(frame.body(), StandardCharsets.UTF_8));
        }
        if (frame.kind() != PeerFrames.GREETING) {
            throw new MessageException("it does not greet");
        }
        PeerGreeting theirs = PeerGreeting.CODEC.read(frame.body());
        Optional<String> why = theirs.refusedBy(mine);
        if (why.isPresent()) {
            throw new MessageException(why.get());
        }
        return theirs;
    }

    private void acceptAll(Receiver receiver) {
        while (!isClosed()) {
            try {
                Socket raw = listener.accept();
                if (mayGreet.tryAcquire()) {
                    letGreet(raw, receiver);
                } else {
                    close(raw);
                }
            } catch (IOException | RuntimeException | Error e) {
                if (!isClosed()) {
                    receiver.trouble("this member accepts no connection: " + e.getMessage());
                    pause(LEAST_WAIT_MILLIS);
                }
            }
        }
    }

    private void letGreet(Socket raw, Receiver receiver) {
        strangers.put(raw, 0);
        try {
            thread("incumbent-peers-reads", () -> accepted(raw, receiver));
        } catch (RuntimeException | Error noThread) {
            mayGreet.release();
            strangers.remove(raw);
            close(raw);
            throw noThread;
        }
    }

    private void pause(long millis) {
        try {
            closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accepted(Socket raw, Receiver receiver) {
        boolean isGreeting = true;
        try {
            raw.setTcpNoDelay(true);
            raw.setSoTimeout(GREETING_MILLIS);
            Socket socket = uri.tls().isPresent() ? uri.tls().get().accepted(raw) : raw;
            DataInputStream in = PeerConnection.reading(socket);
            DataOutputStream out = PeerConnection.writing(socket);
            PeerFrame first = PeerFrames.read(in);
            if (first.kind() == PeerFrames.QUESTION) {
                answer(out, first, receiver);
                return;
            }
            PeerGreeting theirs = welcomed(socket, first, out);
            isGreeting = false;
            mayGreet.release();
            strangers.remove(raw);
            serve(new PeerConnection(theirs, raw, in, out), receiver);
        } catch (MessageException refused) {
            receiver.trouble("a connection from " + host(raw) + " was refused: " + refused.getMessage());
        } catch (SSLException insecure) {
            if (!isClosed()) {
                receiver.trouble(
                        "a connection from " + host(raw) + " was refused: its TLS fails: " + insecure.getMessage());
            }
        } catch (IOException gone) {
            // Whoever dialled has left before it greeted.
        } finally {
            if (isGreeting) {
                mayGreet.release();
            }
            strangers.remove(raw);
            close(raw);
        }
    }

    /** Without the port, which is another one each time: who is refused again and again is told of once a minute. */
    private static String host(Socket raw) {
        return Optional.ofNullable(raw.getInetAddress())
                .map(InetAddress::getHostAddress)
                .orElse("somebody");
    }

    private static void answer(DataOutputStream out, PeerFrame question, Receiver receiver)
            throws IOException, MessageException {
        PeerStanding standing = receiver.asked(PeerQuestion.CODEC.read(question.body()));
        PeerFrames.write(out, PeerFrames.STANDING, PeerStanding.CODEC.written(standing));
        out.flush();
    }

    /** Whoever is dialled answers with its own greeting, or says why it refuses. */
    private PeerGreeting welcomed(Socket socket, PeerFrame first, DataOutputStream out)
            throws IOException, MessageException {
        try {
            PeerGreeting theirs = greeting(first);
            MemberId from = theirs.from();
            if (!group.lesser().contains(from)) {
                throw new MessageException(from + " is dialled by " + group.me() + " and does not dial it");
            }
            if (socket instanceof SSLSocket secured) {
                Optional<String> why =
                        PeerTls.isNot(secured, uri.addressOf(from).host());
                if (why.isPresent()) {
                    throw new MessageException("it calls itself " + from + ", and " + why.get());
                }
            }
            greet(out, from);
            return theirs;
        } catch (MessageException refused) {
            PeerFrames.write(
                    out,
                    PeerFrames.REFUSAL,
                    String.valueOf(refused.getMessage()).getBytes(StandardCharsets.UTF_8));
            out.flush();
            throw refused;
        }
    }

    /** Reads until the connection ends. */
    private void serve(PeerConnection connection, Receiver receiver) {
        MemberId member = connection.member();
        Optional.ofNullable(connections.put(member, connection)).ifPresent(PeerConnection::close);
        if (isClosed()) {
            connection.close();
            return;
        }
        connection.start();
        receiver.connected(member, connection.candidate());
        connection.readAll(receiver::received);
        connections.remove(member, connection);
    }

    @Override
    public void send(MemberId to, byte[] message) {
        Optional.ofNullable(connections.get(to)).ifPresent(connection -> connection.send(message));
    }

    @Override
    public void flush(Duration atMost) {
        for (long left = atMost.toMillis(); left > 0 && !isIdle(); left -= FLUSH_LOOK_MILLIS) {
            pause(FLUSH_LOOK_MILLIS);
        }
    }

    private boolean isIdle() {
        return connections.values().stream().allMatch(PeerConnection::isIdle);
    }

    /** The port is free once this returns: it is not while a thread accepts on it. */
    @Override
    public void close() {
        closed.countDown();
        try {
            listener.close();
        } catch (IOException endsAnyway) {
            // It accepts nothing any more.
        }
        strangers.keySet().forEach(SocketTransport::close);
        connections.values().forEach(PeerConnection::close);
        try {
            if (acceptor.isPresent()) {
                acceptor.get().join(CLOSING_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException endsAnyway) {
            // Nothing is read or written any more.
        }
    }
}
