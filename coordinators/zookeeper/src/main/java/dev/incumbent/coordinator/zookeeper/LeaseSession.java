package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;

/**
 * The session behind one lease, over as many connections as it takes. ZooKeeper's client keeps it alive by itself; so that the lease still ends by its holder's
 * silence, the session is closed once nobody has asked to keep it alive for its length.
 */
final class LeaseSession implements Connection.Owner {
    /** ZooKeeper's client gives up an attempt to connect after a session's time: with less it would hardly ever connect. The servers make it longer. */
    private static final Duration SHORTEST_ASKED = Duration.ofMillis(500);

    private final Surroundings around;
    private final Connection connection;
    private Optional<Link.Session> session;
    private Duration timeout;
    private Optional<Timeline.Alarm> end = Optional.empty();
    private Optional<Resuming> resuming = Optional.empty();
    private Optional<String> nearest = Optional.empty();
    private int keeping;
    private boolean over;

    /** A call for which the session is being resumed, and what it does should the session have ended. */
    private record Resuming(ZooKeeperCall<?> call, Runnable ifExpired) {}

    private LeaseSession(Surroundings around, Duration timeout, Optional<Link.Session> session) {
        this.around = around;
        this.timeout = timeout;
        this.session = session;
        this.connection = new Connection(around, this);
    }

    /** Begins a session of at least some length. */
    static LeaseSession begin(Surroundings around, Duration timeout) {
        Duration asked = timeout.compareTo(SHORTEST_ASKED) < 0 ? SHORTEST_ASKED : timeout;
        LeaseSession begun = new LeaseSession(around, asked, Optional.empty());
        begun.connection.open();
        return begun;
    }

    /** Goes on with a session that another client began. */
    static LeaseSession join(Surroundings around, Duration timeout, Link.Session session) {
        LeaseSession joined = new LeaseSession(around, timeout, Optional.of(session));
        joined.connection.open();
        return joined;
    }

    Connection connection() {
        return connection;
    }

    /** The length that the servers granted, once connected. */
    Duration timeout() {
        return timeout;
    }

    /** It is gone at the servers, or was closed. */
    boolean isOver() {
        return over;
    }

    /**
     * Does something over a connection that was begun after this call, or else {@code ifExpired} if the session has ended. One at a time: who comes meanwhile waits, and
     * begins a connection after that.
     */
    void resume(ZooKeeperCall<?> call, Consumer<Link> request, Runnable ifExpired) {
        if (call.isOver()) {
            return;
        }
        Optional<ZooKeeperCall<?>> before = resuming.map(Resuming::call);
        if (over) {
            ifExpired.run();
        } else if (before.isPresent() && !before.get().isOver()) {
            var unused = before.get()
                    .reply()
                    .whenComplete((value, failure) -> around.turns().execute(() -> resume(call, request, ifExpired)));
        } else {
            resuming = Optional.of(new Resuming(call, ifExpired));
            nearest = connection.link().flatMap(Link::server);
            connection.renew();
            connection.whenReady(call, request);
        }
    }

    /** At the server that just served it, if there is one: any other may be the one that is frozen. */
    @Override
    public Link open(Link.Listener listener) {
        Optional<String> first = nearest;
        nearest = Optional.empty();
        return session.isPresent()
                ? Link.resume(around, first, timeout, session.get(), listener)
                : Link.open(around, timeout, listener);
    }

    @Override
    public void connected(Link link) {
        if (session.isEmpty()) {
            session = Optional.of(link.session());
            timeout = link.timeout();
        }
        connection.ready(link);
    }

    Link.Session session() {
        return session.orElseThrow();
    }

    @Override
    public void broken(Link.Why why) {
        if (why == Link.Why.EXPIRED) {
            leave();
            resuming.filter(it -> !it.call().isOver())
                    .ifPresent(it -> it.ifExpired().run());
        }
    }

    @Override
    public void changed(WatchedEvent event) {
        // It watches nothing.
    }

    /** A keep-alive is under way: the lease does not end by silence meanwhile. */
    void keeps() {
        keeping++;
        end.ifPresent(Timeline.Alarm::cancel);
    }

    /** It has ended, however: from now on the lease lasts for its length, and then {@code silence} is told. */
    void kept(Runnable silence) {
        keeping--;
        end.ifPresent(Timeline.Alarm::cancel);
        end = over
                ? Optional.empty()
                : Optional.of(around.after(timeout, () -> {
                    if (keeping == 0 && !over) {
                        silence.run();
                    }
                }));
    }

    /** Ends the session now. */
    void close() {
        over = true;
        end.ifPresent(Timeline.Alarm::cancel);
        connection.close();
    }

    /** Lets the session live on until it is silent for too long. */
    void leave() {
        over = true;
        end.ifPresent(Timeline.Alarm::cancel);
        connection.leave();
    }
}
