package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A wire between one client and a server, that misbehaves when told to. Listens on a port that stays the same, of 127.0.0.1 unless said otherwise. Thread-safe; all its threads are
 * daemons.
 *
 * <p>A connection over which anything was lost cannot go on, since TCP would have the loss repaired: it is reset at the healing.
 */
public final class TcpProxy implements AutoCloseable {
    /** How the wire misbehaves. */
    public enum Fault {
        /** Connections are refused, and those there are were reset. */
        REFUSED,
        /** All is lost, both ways and in silence. */
        SILENT,
        /** Requests arrive, answers are lost. */
        MUTE,
        /** Requests wait until the healing and arrive then; answers are lost. */
        DELAYED
    }

    private static final int MOST_TRIES = 100;
    private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final InetAddress at;
    private volatile InetSocketAddress target;
    private final Wire wire = new Wire();
    private final Set<ProxiedLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final int port;
    private volatile ServerSocket listener;
    private volatile boolean closed;

    private TcpProxy(InetAddress at, int port, InetSocketAddress target) throws IOException {
        this.at = at;
        this.target = target;
        this.listener = port == 0 ? listenAnywhere() : listen(port);
        this.port = listener.getLocalPort();
        acceptInBackground(listener);
    }

    /** A wire to a port of 127.0.0.1. */
    public static TcpProxy to(int port) {
        return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    public static TcpProxy to(InetSocketAddress target) {
        return at(InetAddress.getLoopbackAddress(), target);
    }

    /** One that listens at another address of this machine, for those who cannot reach its loopback. */
    public static TcpProxy at(InetAddress address, InetSocketAddress target) {
        return at(new InetSocketAddress(address, 0), target);
    }

    /** One that listens at that address and port, such as the same port at another address of this machine; 0 for any port. */
    public static TcpProxy at(InetSocketAddress address, InetSocketAddress target) {
        try {
            return new TcpProxy(address.getAddress(), address.getPort(), target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a client connects to. */
    public int port() {
        return port;
    }

    /** Misbehaves from now on, until {@link #heal()}. */
    public synchronized void cut(Fault how) {
        wire.fault(how);
        if (how == Fault.REFUSED) {
            stopListening();
            links.forEach(ProxiedLink::reset);
        }
    }

    /** Behaves again. */
    public synchronized void heal() {
        links.forEach(ProxiedLink::retire);
        wire.heal();
        if (listener.isClosed() && !closed) {
            listener = listenAgain();
            acceptInBackground(listener);
        }
    }

    /** Every piece of data takes that much longer, each way. */
    public void slow(Duration by) {
        wire.slow(by);
    }

    /** What the server answers takes that much longer, and no request does. */
    public void slowAnswers(Duration by) {
        wire.slowAnswers(by);
    }

    /** Requests wait from now on until {@link #letGo()} or {@link #heal()}, and arrive then; nothing is lost, and answers arrive meanwhile. */
    public void hold() {
        wire.hold();
    }

    /** Does a request wait, since it is held? */
    public boolean isHolding() {
        return wire.isHolding();
    }

    /** Does a request wait for the healing? */
    public boolean isDelaying() {
        return wire.isDelaying();
    }

    public void letGo() {
        wire.letGo();
    }

    /** Resets every connection there is; new ones are welcome. */
    public void reset() {
        links.forEach(ProxiedLink::reset);
    }

    /** The next answer, over whichever connection, is lost, and its connection reset; its request has arrived. */
    public void loseNextAnswer() {
        wire.loseNextAnswer();
    }

    /** Leads to another port of 127.0.0.1 from now on; every connection there is is reset. */
    public void leadTo(int otherPort) {
        leadNewOnesTo(otherPort);
        reset();
    }

    /** Leads new connections to another port of 127.0.0.1 from now on; those that there are stay where they are. */
    public void leadNewOnesTo(int otherPort) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), otherPort);
    }

    /** How many connections there ever were that reached the server. */
    public int accepted() {
        return accepted.get();
    }

    /** How many pieces of data the client has sent so far, over all its connections: a request is one, as a rule. */
    public long requests() {
        return wire.requests();
    }

    /** How many connections there are. */
    public int connections() {
        return links.size();
    }

    private ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(at, port), 128);
        return socket;
    }

    /** The kernel holds the old listener until its thread has left it, which may take a moment on a crowded machine. */
    private ServerSocket listenAgain() {
        for (int tries = 1; ; tries++) {
            try {
                return listen(port);
            } catch (IOException taken) {
                if (tries == MOST_TRIES) {
                    throw new UncheckedIOException("port " + port + " was taken meanwhile", taken);
                }
                LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
            }
        }
    }

    private ServerSocket listenAnywhere() throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return listen(FreePorts.one());
            } catch (IOException takenMeanwhile) {
                if (tries == MOST_TRIES) {
                    throw takenMeanwhile;
                }
            }
        }
    }

    private void stopListening() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void acceptInBackground(ServerSocket from) {
        ProxiedLink.daemon("proxy-" + port, () -> accept(from));
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                connect(from.accept());
            } catch (SocketException endOfListening) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target, 5_000);
        } catch (IOException serverIsGone) {
            ProxiedLink.reset(client);
            return;
        }
        ProxiedLink link = new ProxiedLink(client, server, wire, links::remove);
        links.add(link);
        if (wire.refuses()) { // cut since it was accepted: whoever reset all others had not seen it
            link.reset();
            return;
        }
        accepted.incrementAndGet();
        link.pump();
    }

    @Override
    public synchronized void close() {
        closed = true;
        stopListening();
        wire.heal();
        links.forEach(ProxiedLink::reset);
    }
}
