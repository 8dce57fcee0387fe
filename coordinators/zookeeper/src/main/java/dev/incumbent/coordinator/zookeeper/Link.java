package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.zookeeper.ZooKeeperUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * One handle of ZooKeeper's client, used for one connection and never for a second.
 *
 * <p>The client connects again by itself, and sends then what was handed to it meanwhile, long after its caller gave up. So a handle is given nothing before it is
 * connected, and is thrown away when its connection ends; it finds no server for another ({@link OneConnectionHosts}). What the client tells comes in the client's
 * order, on the coordinator's thread.
 */
final class Link {
    /** Answers that list many nodes are longer than the client's default bound of 1 MB. */
    private static final int LONGEST_ANSWER = 64 << 20;

    private final Handle handle;
    private final Surroundings around;
    private final Listener listener;
    private final boolean isResumption;
    private Phase phase = Phase.CONNECTING;
    private long heardAtNanos;

    /** Hears of one link, on the coordinator's thread. */
    interface Listener {
        /** Requests may be handed to it from now on. */
        void connected(Link link);

        /** Nothing more comes from it, and it is thrown away already. */
        void ended(Link link, Why why);

        /** A node that is watched changed. */
        void changed(Link link, WatchedEvent event);
    }

    /** Why a link ended. */
    enum Why {
        DISCONNECTED,
        EXPIRED,
        REFUSED_CREDENTIALS
    }

    /** A session to go on with; its key as hexadecimal digits. */
    record Session(long id, String key) {}

    private enum Phase {
        CONNECTING,
        CONNECTED,
        ENDED
    }

    /** The client, with a way to leave a session without ending it. */
    private static final class Handle extends ZooKeeper {
        private final OneConnectionHosts hosts;

        /** In a new session, at whichever server answers. */
        Handle(String servers, OneConnectionHosts hosts, int timeoutMillis, Watcher watcher) throws IOException {
            super(servers, timeoutMillis, watcher, false, hosts, config());
            this.hosts = hosts;
        }

        /** In a session that there is. */
        Handle(String servers, OneConnectionHosts hosts, int timeoutMillis, Watcher watcher, Session session)
                throws IOException {
            super(servers, timeoutMillis, watcher, session.id(), HexFormat.of().parseHex(session.key()), false, hosts);
            this.hosts = hosts;
        }

        /** The server's address, which bears the name by which it was found. */
        Optional<InetSocketAddress> server() {
            return hosts.tried().filter(at -> !at.isUnresolved());
        }

        void leave() {
            hosts.end();
            cnxn.disconnect();
        }

        /** Ends the session too; waits until the server has heard of it, or the connection is gone. */
        @Override
        public synchronized void close() {
            hosts.end();
            try {
                super.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What a link goes on with: the session, and the one server that is tried. */
    private record Resumption(Session session, InetSocketAddress server) {}

    private Link(Surroundings around, Duration timeout, Optional<Resumption> resumed, Listener listener)
            throws IOException {
        this.around = around;
        this.listener = listener;
        this.isResumption = resumed.isPresent();
        this.heardAtNanos = around.nanos();
        ZooKeeperUri address = around.address();
        int millis = Math.toIntExact(timeout.toMillis());
        Watcher watcher = event -> around.turns().execute(() -> heard(event));
        String servers = address.servers();
        handle = resumed.isPresent()
                ? new Handle(
                        servers,
                        OneConnectionHosts.ofOne(resumed.get().server()),
                        millis,
                        watcher,
                        resumed.get().session())
                : new Handle(servers, OneConnectionHosts.ofAll(servers), millis, watcher);
        address.digest().ifPresent(digest -> handle.addAuthInfo("digest", digest.auth()));
    }

    private static ZKClientConfig config() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, Integer.toString(LONGEST_ANSWER));
        return config;
    }

    /** Begins to connect, in a session of its own that lives for {@code timeout} of silence, as far as the servers grant that. */
    static Link open(Surroundings around, Duration timeout, Listener listener) {
        return open(around, timeout, Optional.empty(), listener);
    }

    /**
     * Begins to connect to a session that there is, at one server, and tries that once. {@code timeout} is what it has; the ensemble counts from then on what that
     * server grants of it.
     */
    static Link resume(
            Surroundings around, InetSocketAddress server, Duration timeout, Session session, Listener listener) {
        return open(around, timeout, Optional.of(new Resumption(session, server)), listener);
    }

    private static Link open(Surroundings around, Duration timeout, Optional<Resumption> resumed, Listener listener) {
        try {
            return new Link(around, timeout, resumed, listener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The client, to be handed requests while connected. */
    ZooKeeper client() {
        return handle;
    }

    boolean isConnected() {
        return phase == Phase.CONNECTED;
    }

    /** The length of silence that the servers granted. */
    Duration timeout() {
        return Duration.ofMillis(handle.getSessionTimeout());
    }

    /** The one server that it is connected to. */
    Optional<InetSocketAddress> server() {
        return handle.server();
    }

    Session session() {
        return new Session(handle.getSessionId(), HexFormat.of().formatHex(handle.getSessionPasswd()));
    }

    /** Every answer to a request of this link comes through here: on the coordinator's thread and in order, also after its end. */
    void then(Runnable answer) {
        around.turns().execute(() -> {
            heardAtNanos = around.nanos();
            answer.run();
        });
    }

    /** When something was heard last over a link that has not ended. */
    long heardAtNanos() {
        return heardAtNanos;
    }

    /** Ends the connection; its session lives on until it is silent for too long. */
    void leave() {
        if (phase != Phase.ENDED) {
            phase = Phase.ENDED;
            inBackground(handle::leave);
        }
    }

    /** Ends the connection and the session with it, where the servers can be told. */
    void close() {
        boolean tells = phase == Phase.CONNECTED;
        if (!tells) {
            leave();
            return;
        }
        phase = Phase.ENDED;
        inBackground(handle::close);
    }

    /** The client waits for its own threads. */
    private static void inBackground(Runnable farewell) {
        Thread thread = new Thread(farewell, "incumbent-zookeeper-farewell");
        thread.setDaemon(true);
        thread.start();
    }

    private void heard(WatchedEvent event) {
        if (phase == Phase.ENDED) {
            return;
        }
        heardAtNanos = around.nanos();
        if (event.getType() != Watcher.Event.EventType.None) {
            listener.changed(this, event);
            return;
        }
        switch (event.getState()) {
            case SyncConnected -> becomeConnected();
            case Expired -> becomeEnded(Why.EXPIRED);
            case AuthFailed -> becomeEnded(Why.REFUSED_CREDENTIALS);
            case Disconnected, Closed -> {
                // One that never was connected has been handed nothing: it may try the next server, unless its server
                // was chosen.
                if (phase == Phase.CONNECTED || isResumption) {
                    becomeEnded(Why.DISCONNECTED);
                }
            }
            default -> {}
        }
    }

    private void becomeConnected() {
        if (phase == Phase.CONNECTING) {
            phase = Phase.CONNECTED;
            listener.connected(this);
        }
    }

    private void becomeEnded(Why why) {
        leave();
        listener.ended(this, why);
    }
}
